// Where this page's answers come from: the server that sent it.

import { Server } from "./server.js";

export const source = new Server();
