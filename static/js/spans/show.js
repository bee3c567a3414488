/* Show the stored times of a work page's texts under its player. */

import { showSpans } from "./timeline.js";

showSpans();
