"use strict";
// The page is whole without this: it only hides what nobody asked for.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const number = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const later = (act) => {
    let timer;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(act, 120);
    };
  };

  // Rows.
  const form = one("#filter");
  const field = {
    words: one("#words"),
    surface: one("#of-surface"),
    event: one("#of-event"),
    state: one("#of-state"),
    shown: one("#of-shown"),
  };
  const surfaces = all("#rows details.surface").map((element) => ({
    element,
    id: element.dataset.surface,
    open: element.open,
    rows: all("tbody tr", element).map((row) => ({
      row,
      text: `${element.dataset.surface} ${row.textContent}`.toLowerCase(),
      state: row.cells[1].textContent,
      events: all("code", row.cells[2]).map((event) => event.textContent),
      shown: row.className,
    })),
  }));
  const filter = () => {
    const wanted = words(field.words.value);
    const narrowed = wanted.length > 0 || Object.values(field).some((it) => it.value !== "");
    let left = 0;
    let total = 0;
    let tables = 0;
    for (const surface of surfaces) {
      let own = 0;
      for (const it of surface.rows) {
        const stays =
          (field.surface.value === "" || field.surface.value === surface.id) &&
          (field.event.value === "" || it.events.includes(field.event.value)) &&
          (field.state.value === "" || it.state === field.state.value) &&
          (field.shown.value === "" || it.shown === field.shown.value) &&
          wanted.every((word) => it.text.includes(word));
        it.row.hidden = !stays;
        own += stays ? 1 : 0;
      }
      surface.element.hidden = narrowed && own === 0;
      surface.element.open = narrowed ? own > 0 : surface.open;
      left += own;
      total += surface.rows.length;
      tables += own > 0 ? 1 : 0;
    }
    one("#nothing").hidden = left > 0;
    one("#left").textContent = `${left} of ${number(total, "row")}, in ${number(tables, "surface")}`;
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", later(filter));
  form.addEventListener("reset", () => setTimeout(filter));
  filter();

  // A number of the matrix leads to its rows.
  one("#matrix").addEventListener("click", (event) => {
    const link = event.target.closest("a[data-event], a[data-state], a[data-all]");
    if (link === null) {
      return;
    }
    form.reset();
    field.surface.value = link.hash.slice(3);
    field.event.value = link.dataset.event ?? "";
    field.state.value = link.dataset.state ?? "";
    filter();
  });

  // A link leads to what may be folded or filtered away.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) {
      return;
    }
    if (target.hidden) {
      form.reset();
      filter();
    }
    for (let it = target; it !== null; it = it.parentElement) {
      if (it.tagName === "DETAILS") {
        it.open = true;
      }
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash.length > 1) {
    reveal();
  }

  // Two versions.
  for (const compare of all("#versions .compare")) {
    const chosen = one("form", compare);
    const { old, class: kind, words: typed } = chosen.elements;
    const newer = chosen.elements.new;
    const pairs = all(".pair", compare);
    const rows = all("tbody tr", compare).map((row) => ({
      row,
      pairs: row.dataset.p.split(" "),
      kind: row.cells[0].textContent,
      text: row.textContent.toLowerCase(),
    }));
    const show = () => {
      // Whichever way they are chosen: the older one stands first.
      if (Number(old.value) > Number(newer.value)) {
        [old.value, newer.value] = [newer.value, old.value];
      }
      const key = `${old.value}-${newer.value}`;
      const pair = pairs.find((it) => it.dataset.sides === key);
      for (const it of pairs) {
        it.hidden = it !== pair;
      }
      const wanted = words(typed.value);
      let left = 0;
      let total = 0;
      for (const it of rows) {
        const own = pair !== undefined && it.pairs.includes(pair.dataset.pair);
        const stays =
          own &&
          (kind.value === "" || it.kind === kind.value) &&
          wanted.every((word) => it.text.includes(word));
        it.row.hidden = !stays;
        total += own ? 1 : 0;
        left += stays ? 1 : 0;
      }
      one("output", chosen).textContent =
        pair === undefined ? "A version does not differ from itself: choose another one." : `${left} of ${number(total, "change")}`;
    };
    chosen.hidden = false;
    chosen.addEventListener("submit", (event) => event.preventDefault());
    chosen.addEventListener("input", later(show));
    show();
  }

  // Heads of tables stay below the bar, however many lines it takes.
  const bar = () => {
    const sticks = getComputedStyle(form).position === "sticky";
    document.documentElement.style.setProperty("--bar", sticks ? `${form.offsetHeight}px` : "0px");
  };
  new ResizeObserver(bar).observe(form);
  addEventListener("resize", bar);
  bar();
})();
