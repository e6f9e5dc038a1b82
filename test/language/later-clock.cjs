/** The clock of a server, later by 20 seconds as soon as the file is there that `TEST_LATER_FILE` names. For `--require`. */
const { existsSync } = require("node:fs");

const now = Date.now;
const file = process.env.TEST_LATER_FILE;
Date.now = () => now() + (file && existsSync(file) ? 20_000 : 0);
