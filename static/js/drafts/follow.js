/* Ask the server about a form shortly after each change. Nothing waits for the answer, and only the
   answer to the latest question is shown. */

import { post, Unreachable } from "../ui/requests.js";
import { readForm } from "./form.js";

export class Follower {
  /** `show` gets an answer and the content it is about. `lose` is called if no answer comes. */
  constructor(form, url, show, { after = 300, lose = () => {} } = {}) {
    this.form = form;
    this.url = url;
    this.show = show;
    this.lose = lose;
    this.after = after;
    this.asked = 0;
    addEventListener("online", () => this.soon());
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), this.after);
  }

  /** The promise of the answer about the current form; null if it has already come. */
  get pending() {
    return this.timer ? this.ask() : this.running ?? null;
  }

  ask() {
    clearTimeout(this.timer);
    this.timer = null;
    const running = this.send().finally(() => {
      if (this.running === running) this.running = null;
    });
    this.running = running;
    return running;
  }

  async send() {
    const content = readForm(this.form);
    const number = ++this.asked;
    let reply = null;
    try {
      reply = await post(this.url, { content });
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
    if (number !== this.asked) return;
    if (reply?.status === 200) this.show(reply.data, content);
    else this.lose(); // the save state reports the connection; the next change or its return asks again
  }
}
