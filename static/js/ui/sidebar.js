/* The sidebar of a project's pages. As a drawer it is a popover and needs no script. Here the
   button in the header also hides the sidebar beside the page, and a cookie keeps what is open, so
   that the server renders the next page the same way. */

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
    else opener.removeAttribute("aria-expanded"); // for a popover, the browser sets this
  };

  opener.addEventListener("click", (event) => {
    if (!canDock()) return;
    event.preventDefault();
    document.body.classList.toggle("docked");
    keep();
    tell();
  });

  // While the drawer is open, the rest of the page is unreachable: Tab stays in it, Escape closes
  // it. This ends before it closes, so that the focus can return to the button.
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
    const stored = document.cookie.match(/(?:^|; )sidebar=(\w+)/)?.[1] ?? "docked";
    const place = isSlim ? stored : document.body.classList.contains("docked") ? "docked" : "drawer";
    document.cookie = `sidebar=${[place, ...open].join(".")}; path=/; max-age=${KEPT_FOR_S}; samesite=lax`;
  }
}
