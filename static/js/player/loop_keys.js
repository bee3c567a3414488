/* The keys of a work page whose clips loop in step: Space, or Alt+K while writing, plays and pauses
   all of them. */

import { onKeys } from "../keys/grammar.js";
import { mountLoops } from "./loops.js";

const [loops] = mountLoops();
if (loops) onKeys("loops", { play: () => loops.toggle() }, { region: loops.root });
