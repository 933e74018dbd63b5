/* Products that were viewed last: remembered in this browser alone. The server is told numbers to draw their cards. */
const key = "viewed";
const block = document.querySelector(".viewed");
const own = block.dataset.item;

function readViewed() {
  try {
    const ids = (localStorage.getItem(key) ?? "").split(",");
    return ids.filter((id) => /^\d{1,16}$/.test(id));
  } catch {
    return [];
  }
}

function store(ids) {
  try {
    localStorage.setItem(key, ids.join(","));
  } catch {
    // A browser that stores nothing has nothing to show.
  }
}

/** The cards as they are now. If they do not come, the page stands without them. */
async function show(ids) {
  if (ids.length === 0) return;
  const answer = await fetch(`/viewed?items=${ids.join(",")}`, {
    headers: { Accept: "text/html" },
  });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const cards = page.querySelector("#main .results");
  if (!cards) return;
  // One page has one form of ticks.
  for (const tick of cards.querySelectorAll(".compare-tick")) tick.remove();
  block.querySelector("[data-products]").replaceChildren(cards);
  block.hidden = false;
}

block.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-clear]")) return;
  store([]);
  block.hidden = true;
  document.querySelector("#main").focus({ preventScroll: true });
});

const most = Number(block.dataset.most);
const others = readViewed().filter((id) => id !== own);
if (own) store([own, ...others].slice(0, most));
show(others.slice(0, most)).catch(() => {});
