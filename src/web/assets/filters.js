/* Filters with many values: the list follows what is typed into their search field. */
const main = document.querySelector("#main");
const announcer = document.querySelector("p.hidden[role=status]");

async function find(field) {
  const text = field.value;
  const list = document.getElementById(field.getAttribute("aria-controls"));
  const isOver = () => field.value !== text || !field.isConnected;
  await new Promise((resolve) => setTimeout(resolve, 120));
  if (isOver()) return;
  try {
    const asked = new URLSearchParams(new FormData(field.form));
    const answer = await fetch(`/filter-values/${field.dataset.find}?${asked}`, {
      headers: { Accept: "text/html" },
    });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = next.getElementById(list.id);
    if (!fresh || isOver()) return;
    list.replaceChildren(...fresh.childNodes);
    announcer.textContent = fresh.dataset.found;
  } catch {
    // The list stays as it is. Enter tries again.
  }
}

const isField = (element) => element.matches("[data-find]");
main.addEventListener("input", (event) => {
  if (isField(event.target) && !event.isComposing) void find(event.target);
});
main.addEventListener("compositionend", ({ target }) => {
  if (isField(target)) void find(target);
});
main.addEventListener("keydown", (event) => {
  if (!isField(event.target) || event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  void find(event.target);
});
