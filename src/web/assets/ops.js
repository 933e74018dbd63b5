/* Makes the console live: its figures follow without a reload, and forms answer while they are filled in. */
const everyMs = 5000;
const patienceMs = 10_000;
const indicator = document.querySelector("[data-live-on]");
const follow = document.querySelector("[data-follow]");
let latest = 0;
let underWay = 0;

// Where the address names a place of the page, the browser goes there first.
addEventListener("load", () => document.querySelector("[data-notice]")?.focus());
forgetNotice();

/**
 * A notice is told once: not again after a reload, and not to who gets the address. Where a form was
 * refused, the address is the form's: a reload is to show the page and not to send the form again.
 */
function forgetNotice() {
  const address = new URL(location.href);
  if (indicator) address.pathname = indicator.dataset.address;
  for (const name of ["done", "at", "signed_in"]) address.searchParams.delete(name);
  history.replaceState(null, "", address);
}

/* --- the current tab is in sight, also where they do not all fit --- */

const tabs = document.querySelector(".tabs");
const current = tabs?.querySelector("[aria-current]");
if (current) {
  tabs.scrollLeft =
    current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
}

async function read(address) {
  const answer = await fetch(address, {
    headers: { Accept: "text/html" },
    signal: AbortSignal.timeout(patienceMs),
  });
  if (answer.status === 401) location.reload();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

async function refresh() {
  const mine = (latest += 1);
  underWay += 1;
  try {
    const next = await read(location.href);
    if (mine !== latest) return;
    for (const old of document.querySelectorAll("[data-live]")) {
      const fresh = next.getElementById(old.id);
      if (fresh) renew(old, fresh);
    }
    tell("on");
  } catch {
    if (mine === latest) tell("lost");
  } finally {
    underWay -= 1;
  }
}

/** Nothing is taken away from under who is in it, and what was opened or scrolled stays so. */
function renew(old, fresh) {
  if (old.contains(document.activeElement) && old.id !== "what-if-answer") return;
  const opened = [...old.querySelectorAll("details")].map((details) => details.open);
  for (const [i, details] of [...fresh.querySelectorAll("details")].entries()) {
    details.open = opened[i] ?? details.open;
  }
  if (old.innerHTML === fresh.innerHTML) return;
  const scrolled = [...old.querySelectorAll(".wide")].map((wide) => wide.scrollLeft);
  old.replaceChildren(...fresh.childNodes);
  for (const [i, wide] of [...old.querySelectorAll(".wide")].entries()) {
    wide.scrollLeft = scrolled[i] ?? 0;
  }
}

function tell(state) {
  if (!indicator) return;
  const { liveOn, liveLost, liveStopped } = indicator.dataset;
  const shown = state === "on" && !isFollowing() ? "stopped" : state;
  const text = { on: liveOn, lost: liveLost, stopped: liveStopped }[shown];
  indicator.classList.toggle("lost", shown === "lost");
  indicator.classList.toggle("stopped", shown === "stopped");
  if (indicator.textContent !== text) indicator.textContent = text;
}

function afterPause(ms, work) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => void work(...given), ms);
  };
}

/** A box that only scripts need; this browser remembers how it was left. */
function rememberTick(box, key) {
  if (!box) return;
  box.checked = localStorage.getItem(key) !== "off";
  box.closest("label").hidden = false;
  box.addEventListener("change", () => localStorage.setItem(key, box.checked ? "on" : "off"));
}

/* --- what if: the answer follows the slider --- */

const whatIf = document.querySelector("[data-what-if]");
const askWhatIf = afterPause(150, async () => {
  if (!whatIf.reportValidity()) return;
  const request = new URLSearchParams(new FormData(whatIf));
  history.replaceState(null, "", `${location.pathname}?${request}`);
  await refresh();
});
whatIf?.addEventListener("input", () => {
  const [slider, shown] = [whatIf.querySelector("[type=range]"), whatIf.querySelector("output")];
  shown.value = new Intl.NumberFormat(document.documentElement.lang).format(slider.value);
  askWhatIf();
});

/* --- cron expressions: told at once whether they can be used, and when they would fire --- */

for (const form of document.querySelectorAll("[data-cron]")) {
  const field = form.elements.namedItem("cron");
  const place = document.getElementById(`draft-${form.dataset.cron}`);
  const saved = field.defaultValue;
  let asked = 0;
  const check = afterPause(250, async (cron) => {
    const mine = (asked += 1);
    try {
      const trial = new URLSearchParams({ job: form.dataset.cron, cron });
      const next = await read(`/ops/schedule?${trial}`);
      if (mine !== asked || field.value !== cron) return;
      const fresh = next.getElementById(place.id);
      place.replaceChildren(...(cron === saved ? [] : fresh.childNodes));
      const isBad = next.getElementById(field.id).hasAttribute("aria-invalid");
      field.toggleAttribute("aria-invalid", isBad);
      if (isBad) field.setAttribute("aria-invalid", "true");
    } catch {
      place.replaceChildren();
    }
  });
  field.addEventListener("input", () => check(field.value));
}

/* --- what updates itself can be stopped, in this browser until it is started again --- */

function isFollowing() {
  return follow?.checked ?? true;
}
function refreshIfFollowing() {
  if (isFollowing() && !document.hidden) void refresh();
}
rememberTick(follow, "ops-follow");
follow?.addEventListener("change", () => {
  // An answer that is on its way comes too late to be shown.
  latest += 1;
  tell("stopped");
  refreshIfFollowing();
});
if (!isFollowing()) tell("stopped");
// A new question would throw away the answer to the one before, and ask twice what is slow already.
setInterval(() => {
  if (underWay === 0) refreshIfFollowing();
}, everyMs);
document.addEventListener("visibilitychange", refreshIfFollowing);
refreshIfFollowing();

/* --- matches: a key for each decision --- */

const deciding = document.querySelector("[data-decide]");
const byKeys = document.querySelector("[data-keys]");
rememberTick(byKeys, "match-keys");
document.addEventListener("keydown", (event) => {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey || event.repeat;
  if (isCommand || !byKeys?.checked) return;
  for (const button of deciding?.querySelectorAll("[data-key]") ?? []) {
    if (button.dataset.key === event.key.toLowerCase()) button.click();
  }
});
