"""axe on a page, with less work for the rule that takes most of its time."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.http import HttpRequest, HttpResponse
from playwright.sync_api import Page

AXE_ADDRESS = f"{settings.STATIC_URL}tests/axe.js"
# From the site, so that the browser keeps it and what it has compiled of it, and each page needn't
# be sent half a megabyte of text.
LOAD = """
(address) => new Promise((resolve) => {
  const script = Object.assign(document.createElement("script"), { src: address });
  script.onload = script.onerror = () => {
    script.remove();
    resolve(typeof axe !== "undefined");
  };
  document.head.append(script);
})
"""

# The contrast of text is looked at in a few of all elements that look alike, until one of them is
# right: those of the same colors and font, whose ancestors have the same grounds. A table of 20
# models repeats a few cells 2,500 times. What was right stays so while the page keeps its width.
# Every other rule looks at all.
LOOK_AT_ONE_OF_A_KIND = """
() => {
  const FEW = 3;
  const ground = ["background-color", "background-image", "opacity", "filter", "mix-blend-mode"];
  const noGround = "rgba(0, 0, 0, 0)|none|1|none|normal";
  const font = ["color", "font-size", "font-weight", "text-shadow"];
  const valuesOf = (style, names) => names.map((name) => style.getPropertyValue(name)).join("|");
  const grounds = new Map();
  const groundOf = (element) => {
    if (!element) return "";
    if (grounds.has(element)) return grounds.get(element);
    const style = getComputedStyle(element);
    const own = valuesOf(style, ground);
    const { position } = style;
    // What is placed by itself may lie over other things than what else looks like it.
    const place = position === "static" ? "" : `${position} ${element.getAttribute("class")}`;
    const around = groundOf(element.parentElement);
    const all = own === noGround && !place ? around : `${around} > ${own} ${place}`;
    grounds.set(element, all);
    return all;
  };
  const kinds = new Map();
  const kindOf = (element) => {
    if (!kinds.has(element)) {
      const isLetter = element.textContent.trim().length === 1;  // which axe forgives
      const look = valuesOf(getComputedStyle(element), font);
      kinds.set(element, `${groundOf(element)} ${look} ${isLetter}`);
    }
    return kinds.get(element);
  };
  // As axe does, but before it has asked for the styles of the element and all around it.
  const isWritten = (element) => element.matches("input, select, textarea")
    || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const looks = new Map();
  const right = (window.rightKinds ??= {})[innerWidth] ??= new Set();
  const rule = axe._audit.getRule("color-contrast");
  rule.matchesAll ??= rule.matches;
  rule.matches = function (element, ...others) {
    if (!isWritten(element)) return false;
    const kind = kindOf(element);
    const number = looks.get(kind) ?? 0;
    if (right.has(kind) || number === FEW) return false;
    if (!rule.matchesAll.call(this, element, ...others)) return false;
    looks.set(kind, number + 1);
    return true;
  };
  const check = axe._audit.checks["color-contrast"];
  check.evaluateAll ??= check.evaluate;
  check.evaluate = function (element, ...others) {
    const kind = kindOf(element);
    if (right.has(kind)) return true;
    const result = check.evaluateAll.call(this, element, ...others);
    if (result) right.add(kind);
    return result;
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
  const run = axe.run(isSame ? { ...options, runOnly: ["color-contrast"] } : options);
  return run.then(({ violations }) => ({ violations }));
}
"""


class KeptStaticFiles(StaticFilesHandler):
    def serve(self, request: HttpRequest) -> HttpResponse:
        """Serve our static files and axe, which the browser keeps as it does those of a real
        server."""
        if request.path == AXE_ADDRESS:
            response = HttpResponse(AXE_SCRIPT, content_type="text/javascript")
        else:
            response = super().serve(request)
        response.headers["Cache-Control"] = "max-age=86400, immutable"
        return response


def faults_of(page: Page) -> AxeResults:
    if page.evaluate("typeof axe") == "undefined" and not page.evaluate(LOAD, AXE_ADDRESS):
        page.evaluate(AXE_SCRIPT)  # without a network
    page.evaluate(LOOK_AT_ONE_OF_A_KIND)
    return AxeResults(page.evaluate(RUN))
