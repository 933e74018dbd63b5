/* Makes pages that work without it quicker to use: completions, and results without a reload. */
const form = document.querySelector("#search");
const main = document.querySelector("#main");
const announcer = document.createElement("p");
announcer.className = "hidden";
announcer.setAttribute("role", "status");
document.body.append(announcer);

/* --- results that come without a reload --- */

const withoutHash = (address) => address.split("#")[0];
let underWay = new AbortController();
let shown = withoutHash(location.href);

async function swap(address, { push, toTop }) {
  underWay.abort();
  const mine = (underWay = new AbortController());
  main.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, {
      headers: { Accept: "text/html" },
      signal: mine.signal,
    });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    const content = next.querySelector("#main .search-page");
    if (!content) return location.assign(address);
    if (push) history.pushState(null, "", address);
    shown = withoutHash(location.href);
    show(next, content, { isBack: !push });
    if (toTop) scrollTo({ top: 0 });
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address);
  } finally {
    if (mine === underWay) main.removeAttribute("aria-busy");
  }
}

function show(next, content, { isBack }) {
  const focused = document.activeElement?.id;
  const open = [...main.querySelectorAll("details[open]")].map((details) => details.id);
  main.replaceChildren(content);
  for (const details of content.querySelectorAll("details[id]")) {
    details.open = open.includes(details.id);
  }
  document.title = next.title;
  // What is being typed stays, unless the browser went back to other words.
  if (isBack || input !== document.activeElement) input.value = next.querySelector("#q").value;
  document.querySelector(".languages").replaceWith(next.querySelector(".languages"));
  const told = [...content.querySelectorAll("#count, .found > .notice")];
  announcer.textContent = told.map((one) => one.textContent).join(" ");
  (document.getElementById(focused ?? "") ?? main).focus({ preventScroll: true });
  showTicks();
}

/** The form's address without what was left empty. */
function addressOf(filled) {
  const parameters = new URLSearchParams();
  for (const [name, value] of new FormData(filled))
    if (value !== "") parameters.append(name, value);
  const text = parameters.toString();
  return text === "" ? "/?q=" : `/?${text}`;
}

const hasResults = () => main.querySelector(".search-page") !== null;

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  closeSuggestions();
  const address = addressOf(form);
  if (hasResults()) void swap(address, { push: true, toTop: true });
  else location.assign(address);
});

main.addEventListener("change", (event) => {
  if (!event.target.matches("[data-apply]") || !event.target.reportValidity()) return;
  void swap(addressOf(form), { push: true, toTop: false });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || !hasResults() || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return;
  }
  event.preventDefault();
  void swap(link.href, { push: true, toTop: true });
});

addEventListener("popstate", () => {
  if (!hasResults() || withoutHash(location.href) === shown) return;
  void swap(location.href, { push: false, toTop: false });
});

/* --- a picture that does not load leaves its place to the placeholder --- */

const isPicture = (element) => element.matches?.(".picture img");
document.addEventListener(
  "error",
  ({ target }) => isPicture(target) && target.classList.add("broken"),
  true,
);
for (const image of document.querySelectorAll(".picture img")) {
  if (image.complete && image.naturalWidth === 0) image.classList.add("broken");
}

/* --- completions: a combobox by the ARIA practices --- */

const input = document.querySelector("#q");
const list = document.createElement("ul");
let chosen = -1;
let asked = 0;

if (input) {
  list.id = "suggestions";
  list.className = "suggestions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.dataset.suggest);
  form.append(list);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "aria-autocomplete": "list",
  })) {
    input.setAttribute(name, value);
  }
  input.addEventListener("input", (event) => {
    if (!event.isComposing) void suggest();
  });
  input.addEventListener("compositionend", () => void suggest());
  input.addEventListener("keydown", onKey);
  input.addEventListener("blur", closeSuggestions);
  // The field keeps the focus, so that a click is not a blur first.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) take(option);
  });
}

async function suggest() {
  const mine = (asked += 1);
  const q = input.value.trim();
  if (q === "") return closeSuggestions();
  await new Promise((resolve) => setTimeout(resolve, 120));
  if (mine !== asked) return;
  try {
    const answer = await fetch(`/suggest?q=${encodeURIComponent(q)}`);
    const { items } = answer.ok ? await answer.json() : { items: [] };
    if (mine === asked && document.activeElement === input) open(items);
  } catch {
    closeSuggestions();
  }
}

function open(items) {
  chosen = -1;
  list.replaceChildren(
    ...items.map((item, index) => {
      const option = document.createElement("li");
      option.id = `suggestion-${index}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dir = "auto";
      option.textContent = item.text;
      option.dataset.address = addressOfSuggestion(item);
      return option;
    }),
  );
  list.hidden = items.length === 0;
  input.setAttribute("aria-expanded", String(items.length > 0));
  input.removeAttribute("aria-activedescendant");
}

function addressOfSuggestion(item) {
  const [name, value] = item.category
    ? ["category", item.category]
    : item.shop_id
      ? ["shop_id", item.shop_id]
      : ["q", item.text];
  return `/?${new URLSearchParams({ [name]: value })}`;
}

function closeSuggestions() {
  asked += 1;
  if (list.hidden) return;
  list.hidden = true;
  chosen = -1;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

function onKey(event) {
  if (event.isComposing || list.hidden) return;
  const options = [...list.children];
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) {
    event.preventDefault();
    // One place more than there are options: the field itself.
    const places = options.length + 1;
    chosen = ((chosen + 1 + steps[event.key] + places) % places) - 1;
    for (const [index, option] of options.entries()) {
      option.setAttribute("aria-selected", String(index === chosen));
    }
    if (chosen < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", options[chosen].id);
  } else if (event.key === "Escape") {
    event.preventDefault();
    closeSuggestions();
  } else if (event.key === "Enter" && chosen >= 0) {
    event.preventDefault();
    take(options[chosen]);
  }
}

function take(option) {
  const { address } = option.dataset;
  closeSuggestions();
  input.value = new URL(address, location.href).searchParams.get("q") ?? "";
  if (hasResults()) void swap(address, { push: true, toTop: true });
  else location.assign(address);
}

/* --- a form is sent once, however often its button is pressed --- */

const sent = new Set();
/** Longer than the server takes: by then the answer is lost, or the visitor has stopped waiting for it. */
const patienceMs = 15_000;
document.addEventListener("submit", (event) => {
  const { target } = event;
  if (target.method !== "post") return;
  if (sent.has(target)) return event.preventDefault();
  sent.add(target);
  setTimeout(() => sent.delete(target), patienceMs);
});
// Browsers may keep the page as it was left, for who comes back to it.
addEventListener("pageshow", () => sent.clear());

/* --- a check under way, and what became of it --- */

for (const check of document.querySelectorAll("form[data-busy]")) {
  const button = check.querySelector("button");
  const label = button.textContent;
  const restore = () => {
    button.disabled = false;
    button.textContent = label;
  };
  addEventListener("pageshow", restore);
  check.addEventListener("submit", () => {
    button.disabled = true;
    button.textContent = check.dataset.busy;
    announcer.textContent = check.dataset.busy;
    setTimeout(restore, patienceMs);
  });
}

// It is told once: not again after a reload, and not to who gets the address.
const address = new URL(location.href);
if (address.searchParams.has("check")) {
  address.searchParams.delete("check");
  history.replaceState(null, "", address);
}

/* --- products to compare: remembered in this tab alone --- */

const comparedKey = "compare";
/** Where the browser stores nothing. */
let kept = [];

function readTicked() {
  try {
    const ids = (sessionStorage.getItem(comparedKey) ?? "").split(",");
    return ids.filter((id) => /^\d{1,16}$/.test(id));
  } catch {
    return kept;
  }
}

function storeTicked(ids) {
  kept = ids;
  try {
    sessionStorage.setItem(comparedKey, ids.join(","));
  } catch {
    // Then the ticks of this page alone count.
  }
  showTicks(ids);
}

function showTicks(ids = readTicked()) {
  for (const tick of document.querySelectorAll(".compare-tick input")) {
    tick.checked = ids.includes(tick.value);
  }
  const bar = document.querySelector(".compare-bar");
  if (!bar) return;
  bar.hidden = ids.length === 0;
  bar.querySelector("[data-count]").textContent = `(${ids.length})`;
  bar.querySelector("[data-clear]").hidden = false;
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches(".compare-tick input")) return;
  const bar = document.querySelector(".compare-bar");
  const others = readTicked().filter((id) => id !== target.value);
  if (target.checked && others.length >= Number(bar.dataset.most)) {
    target.checked = false;
    announcer.textContent = bar.dataset.full;
    bar.dataset.note = bar.dataset.full;
    return;
  }
  delete bar.dataset.note;
  storeTicked(target.checked ? [...others, target.value] : others);
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches(".compare-bar")) return;
  event.preventDefault();
  location.assign(`/compare?items=${readTicked().join(",")}`);
});

document.addEventListener("click", ({ target }) => {
  if (target.closest?.(".compare-bar [data-clear]")) {
    storeTicked([]);
    main.focus({ preventScroll: true });
  }
  const removed = target.closest?.("[data-uncompare]");
  if (removed) storeTicked(readTicked().filter((id) => id !== removed.dataset.uncompare));
});

// A page that the browser kept shows the ticks that were set elsewhere since.
addEventListener("pageshow", () => showTicks());
