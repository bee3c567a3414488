/* Play backwards by seeking frame after frame at the chosen speed, since browsers can't. */

export class Reverse {
  constructor(player) {
    this.player = player;
    this.timer = null;
  }

  get isOn() {
    return this.timer !== null;
  }

  toggle() {
    if (this.isOn) return this.stop();
    const { player } = this;
    player.video.pause();
    const [first, end] = player.range ?? [player.start, player.end];
    if (player.aim <= first || player.aim >= end) player.seekFrame(end - 1);
    const every = Math.max(1000 / (player.fps * player.video.playbackRate), 15);
    this.timer = setInterval(() => {
      if (player.video.seeking) return; // a slow seek slows playback down
      if (player.aim <= first || !player.video.paused) return this.stop();
      player.stepping = true;
      player.seekFrame(player.aim - 1);
    }, every);
    return undefined;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }
}
