/* The times that the texts of a work page already have, under its player. */

import { showSpans } from "./timeline.js";

showSpans();
