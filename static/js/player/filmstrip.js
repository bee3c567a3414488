/* Draw the timeline: tiles of the sprite, shots, watched frames, the loop and the playhead. */

const RULER = 6; // pixels under the tiles that show the watched frames

export class Filmstrip {
  constructor(canvas, { start, end, shots, src, columns, tileWidth, tileHeight, tileFrames }) {
    this.canvas = canvas;
    this.start = start;
    this.end = end;
    this.shots = shots;
    this.columns = columns;
    this.tileWidth = tileWidth;
    this.tileHeight = tileHeight;
    this.tileFrames = tileFrames;
    this.backdrop = document.createElement("canvas");
    this.loudness = null;
    this.sprite = new Image();
    this.sprite.addEventListener("load", () => this.resize());
    if (src && tileFrames.length) this.sprite.src = src;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    new MutationObserver(() => this.resize()).observe(document.documentElement, {
      attributeFilter: ["data-theme"],
    });
  }

  x(frame) {
    return ((frame - this.start) / (this.end - this.start)) * this.width;
  }

  frameAt(x) {
    const frame = this.start + Math.floor((x / this.width) * (this.end - this.start));
    return Math.min(Math.max(frame, this.start), this.end - 1);
  }

  resize() {
    const { width, height } = this.canvas.parentElement.getBoundingClientRect();
    if (!width) return;
    this.width = width;
    this.height = height;
    for (const canvas of [this.canvas, this.backdrop]) {
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
      canvas.getContext("2d").setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    }
    const style = getComputedStyle(this.canvas);
    this.colors = Object.fromEntries(
      ["ground", "accent", "watched"].map((name) => [name, style.getPropertyValue(`--strip-${name}`)]),
    );
    this.drawBackdrop();
    if (this.last) this.draw(this.last);
  }

  /** Draw the parts that don't move, once per size. */
  drawBackdrop() {
    const context = this.backdrop.getContext("2d");
    const tiles = this.height - RULER;
    context.fillStyle = this.colors.ground;
    context.fillRect(0, 0, this.width, this.height);
    if (this.sprite.complete && this.sprite.naturalWidth) this.drawTiles(context, tiles);
    if (this.loudness) this.drawLoudness(context, tiles);
    for (const shot of this.shots) {
      if (shot <= this.start || shot >= this.end) continue;
      const x = Math.round(this.x(shot));
      context.fillStyle = "rgb(0 0 0 / 75%)";
      context.fillRect(x - 2, 0, 3, tiles);
      context.fillStyle = "#fff";
      context.fillRect(x - 1, 0, 1, tiles);
    }
  }

  drawTiles(context, height) {
    const ideal = (height * this.tileWidth) / this.tileHeight;
    const slots = Math.max(1, Math.round(this.width / ideal));
    const slot = this.width / slots;
    for (let i = 0; i < slots; i += 1) {
      const tile = this.tileNear(this.frameAt((i + 0.5) * slot));
      // the slot's shape rarely matches the tile's: crop the tile instead of squeezing it
      const sourceWidth = Math.min(this.tileWidth, (slot / height) * this.tileHeight);
      const left = (tile % this.columns) * this.tileWidth + (this.tileWidth - sourceWidth) / 2;
      const top = Math.floor(tile / this.columns) * this.tileHeight;
      context.drawImage(this.sprite, left, top, sourceWidth, this.tileHeight, i * slot, 0, slot, height);
    }
  }

  tileNear(frame) {
    let best = 0;
    this.tileFrames.forEach((candidate, i) => {
      if (Math.abs(candidate - frame) < Math.abs(this.tileFrames[best] - frame)) best = i;
    });
    return best;
  }

  /** Draw the tile nearest to a frame at the canvas's size. Return false if there are no tiles. */
  drawTile(context, frame) {
    if (!this.sprite.complete || !this.sprite.naturalWidth || !this.tileFrames.length) return false;
    const tile = this.tileNear(frame);
    const { canvas } = context;
    canvas.width = this.tileWidth;
    canvas.height = this.tileHeight;
    const left = (tile % this.columns) * this.tileWidth;
    const top = Math.floor(tile / this.columns) * this.tileHeight;
    context.drawImage(this.sprite, left, top, this.tileWidth, this.tileHeight, 0, 0, canvas.width, canvas.height);
    return true;
  }

  /** Set the loudness, from 0 to 1, of equal parts of the clip. */
  setLoudness(peaks) {
    this.loudness = peaks;
    this.drawBackdrop();
    if (this.last) this.draw(this.last);
  }

  drawLoudness(context, height) {
    const part = this.width / this.loudness.length;
    context.fillStyle = "rgb(0 0 0 / 45%)";
    context.fillRect(0, height * 0.6, this.width, height * 0.4);
    context.fillStyle = "#fff";
    this.loudness.forEach((peak, place) => {
      const tall = Math.max(peak * height * 0.38, 1);
      context.fillRect(place * part, height - tall, Math.max(part, 1), tall);
    });
  }

  draw({ frame, range, watched }) {
    this.last = { frame, range, watched };
    if (!this.width) return;
    const context = this.canvas.getContext("2d");
    const tiles = this.height - RULER;
    context.drawImage(this.backdrop, 0, 0, this.width, this.height);
    context.fillStyle = this.colors.watched;
    for (const [a, b] of watched) context.fillRect(this.x(a), tiles + 2, this.x(b) - this.x(a), RULER - 3);
    if (range) {
      const [from, to] = range.map((edge) => this.x(edge));
      context.fillStyle = "rgb(0 0 0 / 55%)";
      context.fillRect(0, 0, from, tiles);
      context.fillRect(to, 0, this.width - to, tiles);
      context.strokeStyle = this.colors.accent;
      context.lineWidth = 2;
      context.strokeRect(from + 1, 1, Math.max(to - from - 2, 1), tiles - 2);
    }
    const x = Math.min(Math.max(this.x(frame + 0.5), 2), this.width - 2);
    context.fillStyle = "rgb(0 0 0 / 80%)";
    context.fillRect(x - 2.5, 0, 5, this.height);
    context.fillStyle = "#fff";
    context.fillRect(x - 1, 0, 2, this.height);
  }
}
