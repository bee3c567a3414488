/* The sidebar of a project's pages: a drawer is markup alone (a popover). Here the button in the header
   also hides the sidebar that lies beside the page, and what is open is kept in a cookie, so that the
   server renders the next page as the person left this one. */

import { find, findAll } from "./dom.js";

const KEPT_FOR_S = 365 * 24 * 60 * 60;

if (document.querySelector("#sidebar")) mount();

function mount() {
  const sidebar = find("#sidebar", HTMLElement);
  const opener = find(".sidebar-opener", HTMLButtonElement);
  const wide = matchMedia("(width > 64rem)");
  const canDock = () => wide.matches && !document.body.classList.contains("slim");

  const tell = () => {
    if (canDock()) opener.setAttribute("aria-expanded", `${document.body.classList.contains("docked")}`);
    else opener.removeAttribute("aria-expanded"); // the browser says whether a popover is open
  };

  opener.addEventListener("click", (event) => {
    if (!canDock()) return;
    event.preventDefault();
    document.body.classList.toggle("docked");
    keep();
    tell();
  });

  // While it is a drawer, the rest of the page can't be reached: Tab stays in it, Escape closes it.
  // Before it closes, so that the focus can go back to the button.
  sidebar.addEventListener("beforetoggle", (event) => {
    for (const part of findAll("body > :not(#sidebar, script)", HTMLElement)) part.inert = event.newState === "open";
  });
  sidebar.addEventListener("toggle", (event) => {
    if (event.newState === "open") (sidebar.querySelector("a[aria-current]") ?? sidebar.querySelector("a")).focus();
  });
  wide.addEventListener("change", () => {
    if (sidebar.matches(":popover-open")) sidebar.hidePopover();
    tell();
  });

  sidebar.addEventListener("click", (event) => {
    const group = event.target.closest("summary")?.parentElement;
    if (group) setTimeout(keep); // after the group has opened or closed
  });
  tell();

  function keep() {
    const open = findAll("details[open]", HTMLDetailsElement, sidebar).map((group) => group.dataset.group);
    const isSlim = document.body.classList.contains("slim");
    const kept = document.cookie.match(/(?:^|; )sidebar=(\w+)/)?.[1] ?? "docked";
    const place = isSlim ? kept : document.body.classList.contains("docked") ? "docked" : "drawer";
    document.cookie = `sidebar=${[place, ...open].join(".")}; path=/; max-age=${KEPT_FOR_S}; samesite=lax`;
  }
}
