/* Where each merged sentence comes from, asked of the server a moment after the typing stops: the
   rule needs the word lists and the sentence rule that are stored with the caption. */

import { readForm } from "../drafts/form.js";
import { post } from "../ui/requests.js";

const ASK_AFTER_MS = 300;

/** Returns a function that asks anew; `show` gets {origins, sentences}. */
export function followOrigins(form, show) {
  const { originsUrl } = document.getElementById("merge-sources").dataset;
  let timer = null;
  let asked = 0;

  async function ask() {
    const number = ++asked;
    try {
      const { status, data } = await post(originsUrl, { content: readForm(form) });
      if (status === 200 && number === asked) show(data);
    } catch {
      // offline: what is shown is mended with the next answer
    }
  }

  return () => {
    clearTimeout(timer);
    timer = setTimeout(ask, ASK_AFTER_MS);
  };
}
