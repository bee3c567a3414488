/* Keys of a work page with synchronized loops: Space, or Alt+K while writing, plays and pauses them
   all. */

import { onKeys } from "../keys/grammar.js";
import { mountLoops } from "./loops.js";

const [loops] = mountLoops();
if (loops) onKeys("loops", { play: () => loops.toggle() }, { region: loops.root });
