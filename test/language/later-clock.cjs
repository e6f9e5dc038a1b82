/** For `--require`: puts a server's clock 20 seconds ahead as soon as the file named by `TEST_LATER_FILE` exists. */
const { existsSync } = require("node:fs");

const now = Date.now;
const file = process.env.TEST_LATER_FILE;
Date.now = () => now() + (file && existsSync(file) ? 20_000 : 0);
