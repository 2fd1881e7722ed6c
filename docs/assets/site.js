// Every number on a page can say where it comes from. One control, not a tab stop a number:
// the bar's first button opens a panel, and the panel's own buttons (or the arrow keys) walk
// through the numbers; a click or a tap on a number opens the panel there.

const PANEL_ROWS = [
  ["Name", (n) => element("code", {}, n.id)],
  ["Shown as", (n) => n.shown],
  ["Full value", (n) => n.value],
  ["Made by", (n) => element("code", {}, n.call)],
  ["Source", (n) => sourceLink(n.source)],
  ["Test", (n) => sourceLink(n.test)],
];

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function sourceLink(place) { // "snippets/values.py:12"
  const [file, line] = place.split(":");
  const address = document.getElementById("page-numbers").dataset.source.replace("FILE", file);
  return element("a", { href: `${address}#L-${line}` }, `${file}, line ${line}`);
}

function start() {
  const data = document.getElementById("page-numbers");
  const article = document.querySelector("article.md-content__inner");
  if (!data || !article || article.querySelector(".numbers-bar")) return;
  const about = JSON.parse(data.content.textContent);
  const numbers = [...article.querySelectorAll("data.num")].map((at) => {
    const [source, test, call] = about[at.dataset.id];
    const value = at.value.replace("-", "\u2212");
    return { at, id: at.dataset.id, shown: at.textContent, value, source, test, call };
  });
  if (!numbers.length) return;

  const inspect = element("button", { type: "button", "aria-expanded": "false" }, "Inspect the numbers");
  const full = element("button", { type: "button", "aria-pressed": "false" }, "Show full values");
  const bar = element("div", { class: "numbers-bar", role: "group", "aria-label": "Numbers on this page" }, inspect, full);
  (article.querySelector("h1") || article.firstElementChild).after(bar);
  article.classList.add("inspectable");

  const facts = element("div", { "aria-live": "polite" });
  const previous = element("button", { type: "button" }, "Previous");
  const next = element("button", { type: "button" }, "Next");
  const close = element("button", { type: "button" }, "Close");
  const panel = element("section", { class: "numbers-panel", "aria-label": "Where this number comes from", hidden: "" },
    facts, element("div", { class: "actions" }, previous, next, close));
  bar.after(panel);

  let current = -1;

  const visible = (number) => number.at.getClientRects().length > 0;

  function show(index) {
    numbers[current]?.at.classList.remove("inspected");
    current = index;
    const number = numbers[current];
    number.at.classList.add("inspected");
    const rows = PANEL_ROWS.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value(number))]);
    facts.replaceChildren(element("p", { class: "place" }, `Number ${current + 1} of ${numbers.length}`), element("dl", {}, ...rows));
    panel.hidden = false;
    inspect.setAttribute("aria-expanded", "true");
    // In the middle of what the panel leaves free, and below the header.
    const middle = Math.max(64, (innerHeight - panel.offsetHeight) / 2);
    scrollBy(0, number.at.getBoundingClientRect().top - middle);
    if (!panel.contains(document.activeElement)) next.focus({ preventScroll: true });
  }

  // Numbers in closed boxes are passed over: an answer is the reader's to open.
  function walk(step) {
    let index = current;
    do index = (index + step + numbers.length) % numbers.length;
    while (!visible(numbers[index]) && index !== current);
    show(index);
  }

  function hide() {
    numbers[current]?.at.classList.remove("inspected");
    panel.hidden = true;
    inspect.setAttribute("aria-expanded", "false");
    inspect.focus({ preventScroll: true });
  }

  const nearest = () => Math.max(0, numbers.findIndex((n) => visible(n) && n.at.getBoundingClientRect().top > 0));

  inspect.addEventListener("click", () => {
    if (panel.hidden) show(current < 0 || !visible(numbers[current]) ? nearest() : current);
    else hide();
  });
  previous.addEventListener("click", () => walk(-1));
  next.addEventListener("click", () => walk(1));
  close.addEventListener("click", hide);
  panel.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); walk(step); }
    if (event.key === "Escape") hide();
    event.stopPropagation(); // the theme's own keys would leave the page
  });
  article.addEventListener("click", (event) => {
    const index = numbers.findIndex((n) => n.at === event.target.closest("data.num"));
    if (index >= 0) show(index);
  });

  function setFull(on) {
    article.classList.toggle("show-full", on);
    for (const number of numbers) number.at.textContent = on ? number.value : number.shown;
  }
  full.addEventListener("click", () => {
    const on = full.getAttribute("aria-pressed") !== "true";
    full.setAttribute("aria-pressed", String(on));
    setFull(on);
  });
  // Paper shows the rounded numbers, and the answers.
  const paper = matchMedia("print");
  const onPaper = (printing) => {
    setFull(!printing && full.getAttribute("aria-pressed") === "true");
  };
  paper.addEventListener("change", (event) => onPaper(event.matches));
  window.addEventListener("beforeprint", () => onPaper(true));
  window.addEventListener("afterprint", () => onPaper(false));
}

// With the theme's instant navigation a page may come without this script running again.
if (window.document$) window.document$.subscribe(start);
else start();
