/** Key and URL come from two variables: a changed URL must not get the key. */
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { keepOrigin, NewOrigin, Secret } from "../../platform";
import { connectionTo } from "../../server/sync/environments";
import { environmentLink } from "../../server/sync/transport";
import { inFolder, posix, runInProcess } from "./outsider";

const KEY = "key-of-the-first-platform-81f2";
const at = (baseUrl: string, workflowBaseUrl?: string) => ({
  baseUrl,
  key: new Secret(KEY),
  ...(workflowBaseUrl === undefined ? {} : { workflowBaseUrl }),
});

test("a key is only used at its first address, unless the user allows another", () =>
  inFolder({}, async (folder) => {
    const env = { ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
    await keepOrigin(at("https://api.example/v1"), env);
    await keepOrigin(at("https://api.example/v2"), env);
    for (const wanted of [
      "https://api.example.evil/v1",
      "https://api.example:8443/v1",
      "https://xn--pi-6kc.example",
      "http://localhost:4000",
      "http://127.0.0.1:80",
    ])
      await assert.rejects(keepOrigin(at(wanted), env), NewOrigin, wanted);
    await assert.rejects(keepOrigin(at("https://api.example", "https://calls.evil"), env), NewOrigin);
    await keepOrigin(at("https://api.example", "https://calls.example"), env, true);
    await keepOrigin(at("https://calls.example"), env);
    await assert.rejects(keepOrigin(at("https://calls.evil"), env), NewOrigin);

    const file = path.join(folder, "state", "key-origins.json");
    assert.doesNotMatch(readFileSync(file, "utf8"), new RegExp(KEY));
    if (posix) assert.equal(statSync(file).mode & 0o777, 0o600);
    for (const damage of ["", "{", "[]", '{"a": 1}', "null"]) {
      writeFileSync(file, damage);
      await keepOrigin(at("https://api.example"), env);
      await assert.rejects(keepOrigin(at("https://calls.evil"), env), NewOrigin, "remembered anew");
    }
  }));

test("spellings of one origin are the same for an environment's key, and anything else is another origin", () =>
  inFolder({}, async (folder) => {
    const cases = {
      "https://api.example": {
        same: ["https://API.Example/", "https://api.example:443", "HTTPS://api.example:0443"],
        other: [
          "https://api.example.",
          "https://api.example:444",
          "https://api.example:80",
          "https://www.api.example",
          "https://api.example@evil.example",
          "https://api.example%2eevil.example",
          "http://127.0.0.1:443",
        ],
      },
      "https://[2001:db8::1]": {
        same: ["https://[2001:DB8:0:0:0:0:0:1]:443", "https://[2001:0db8::0001]/"],
        other: ["https://[2001:db8::2]", "https://[2001:db8::1]:8443", "https://[::1]"],
      },
      "http://127.0.0.1:4000": {
        same: ["http://127.1:4000", "http://2130706433:4000", "http://0x7f000001:4000"],
        other: ["http://127.0.0.1:4001", "http://127.0.0.2:4000", "http://localhost:4000", "http://[::1]:4000"],
      },
    };
    for (const [index, [first, { same, other }]] of Object.entries(cases).entries()) {
      const env = { ASSISTANT_FLOW_STATE_DIR: path.join(folder, String(index)) };
      await keepOrigin(at(first), env, false, true);
      for (const url of same) {
        await keepOrigin(at(url), env, false, true);
        assert.deepEqual(connectionTo({ name: "staging", url }, [first]), { address: first }, url);
      }
      for (const url of other) {
        await assert.rejects(keepOrigin(at(url), env, false, true), NewOrigin, url);
        assert.ok("problem" in connectionTo({ name: "staging", url }, [first]), url);
      }
    }
  }));

test("a sandbox may start on another port", () =>
  inFolder({}, async (folder) => {
    const env = { ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
    for (const address of ["http://127.0.0.1:4000", "http://localhost:4001", "http://[::1]:4002"])
      await keepOrigin(at(address), env);
    await assert.rejects(keepOrigin(at("https://127.0.0.1.example"), env), NewOrigin);
  }));

test("the command line and other editors send nothing, and show what to do", () =>
  inFolder({}, async (folder) => {
    const env = {
      ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state"),
      ASSISTANT_FLOW_API_KEY: KEY,
      ASSISTANT_FLOW_BASE_URL: "http://127.0.0.1:9",
    };
    await keepOrigin(at("https://api.example"), env);
    for (const command of [["login"], ["keys", "list"], ["calls", "list"]]) {
      const { code, err } = await runInProcess(command, { cwd: folder, env });
      assert.equal(code, 4, command.join(" "));
      assert.match(err, /first used with https:\/\/api\.example, but .* this computer\. Nothing was sent\./);
      assert.match(err, /--allow-new-origin/);
      assert.ok(!err.includes(KEY));
    }
    const line = environmentLink(env);
    const request = { method: "GET", path: "/v1/users/me", family: "platform" } as const;
    await assert.rejects(async () => line?.transport.send(request), /login --allow-new-origin/);
    const allowed = await runInProcess(["login", "--allow-new-origin"], { cwd: folder, env });
    assert.equal(allowed.code, 3, "now it was tried: nobody listens there");
    await assert.rejects(
      async () => line?.transport.send(request),
      (error: Error) => !/new-origin/.test(error.message),
    );
  }));
