"""axe on a page, with less work for the rule that takes most of its time."""

from __future__ import annotations

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# The contrast of text is looked at in one of all elements that look alike: those of the same tag,
# classes, states, attributes for styles and place (first, last, between) that are in elements which
# look alike. A table of 20 models repeats a few cells 2,500 times. Every other rule looks at all.
LOOK_AT_ONE_OF_A_KIND = """
() => {
  const names = ["class", "type", "open", "hidden", "disabled", "readonly", "role", "tabindex"];
  const styled = (name) => names.includes(name) || /^(data-|aria-(?!label|describedby))/.test(name);
  const kinds = new Map();
  const kindOf = new Map();
  const seen = new Set();
  const chosen = new Set();
  const hasText = (element) => element.matches("input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  for (const element of document.querySelectorAll("*")) {
    const attributes = [...element.attributes].filter(({ name }) => styled(name));
    const key = JSON.stringify([
      kindOf.get(element.parentElement),
      element.localName,
      /[0-9]/.test(element.id) ? "" : element.id,
      attributes.map(({ name, value }) => `${name}=${value}`),
      element.matches(":first-child"),
      element.matches(":last-child"),
      element.checked,
      element === document.activeElement,
    ]);
    if (!kinds.has(key)) kinds.set(key, kinds.size);
    const kind = kinds.get(key);
    kindOf.set(element, kind);
    if (!seen.has(kind) && hasText(element) && element.checkVisibility()) {
      seen.add(kind);
      chosen.add(element);
    }
  }
  const rule = axe._audit.getRule("color-contrast");
  rule.matchesAll ??= rule.matches;
  rule.matches = function (element, ...others) {
    return chosen.has(element) && rule.matchesAll.call(this, element, ...others);
  };
}
"""


# Where nothing but the color scheme has changed since the last look, only colors can be at fault.
# What axe loads for its rules is for the one about what plays by itself alone.
RUN = """
() => {
  const page = [innerWidth, innerHeight, document.documentElement.outerHTML].join();
  const isSame = window.pageOfLastLook === page;
  window.pageOfLastLook = page;
  const preload = document.querySelector("[autoplay]") !== null;
  const options = { resultTypes: ["violations"], preload };
  return axe.run(isSame ? { ...options, runOnly: ["color-contrast"] } : options);
}
"""


def faults_of(page: Page) -> AxeResults:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    page.evaluate(LOOK_AT_ONE_OF_A_KIND)
    return AxeResults(page.evaluate(RUN))
