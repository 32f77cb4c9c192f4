// On every page of a trial's websites, before its own scripts.
"use strict";
(() => {
  // The websites stand still at one moment; so does the page's clock.
  const Real = Date;
  const now = new Real(__NOW__).getTime();
  window.Date = class Date extends Real {
    constructor(...given) {
      if (given.length) super(...given);
      else super(now);
    }
    static now() {
      return now;
    }
  };

  // Addresses that come into view without a load: the server sees the others by itself.
  let told = location.href;
  const tell = () => {
    if (location.href === told) return;
    told = location.href;
    const path = location.pathname + location.search + location.hash;
    fetch("/.study/page", { method: "POST", keepalive: true, body: JSON.stringify({ path }) }).catch(() => {});
  };
  for (const name of ["pushState", "replaceState"]) {
    const real = history[name];
    history[name] = function (...given) {
      real.apply(this, given);
      tell();
    };
  }
  addEventListener("popstate", tell);
  addEventListener("hashchange", tell);
  const back = () => {
    told = "";
    tell();
  };
  // A page that the back button shows again, and a tab that one comes back to.
  addEventListener("pageshow", (event) => event.persisted && back());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && back());
})();
