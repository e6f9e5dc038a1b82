/** Finds an installed Chromium, or unpacks the one from an npm package. */
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { chosenProgram } from "../project";
import { unpack } from "./parts";

/** Finds an installed browser; `BROWSER_EXECUTABLE` takes precedence. */
export function findBrowser(): string | undefined {
  return chosenProgram("BROWSER_EXECUTABLE") ?? candidates().find((file) => existsSync(file));
}

function candidates(): string[] {
  if (process.platform === "darwin") {
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === "win32") {
    const places = [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA];
    const programs = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
    return programs.flatMap((program) => places.flatMap((place) => (place ? [path.join(place, program)] : [])));
  }
  // A shell has no windows of its own to draw, so a start of VS Code takes an eighth less processor time.
  const shells = ["chromium-headless-shell", "chrome-headless-shell"];
  const browsers = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable"];
  const names = [...shells, ...browsers];
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

/** Switches that Chromium needs in a container or as root, and that keep it off the network. */
export const browserSwitches = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Unpacks the browser and its libraries from the Brotli archives of the npm package. A wrapper script starts it with
 * these libraries and a font: without a font it hangs as soon as an editor opens.
 */
export async function unpackChromium(place: string): Promise<void> {
  const packed = path.join(place, "node_modules/@sparticuz/chromium/bin");
  const decompress = promisify(brotliDecompress);
  await writeFile(path.join(place, "chromium"), await decompress(await readFile(path.join(packed, "chromium.br"))));
  await chmod(path.join(place, "chromium"), 0o755);
  for (const name of ["al2023", "swiftshader"]) {
    const folder = path.join(place, name);
    await mkdir(folder);
    await writeFile(
      path.join(folder, "files.tar"),
      await decompress(await readFile(path.join(packed, `${name}.tar.br`))),
    );
    await unpack(folder, "files.tar");
  }
  await writeFile(path.join(place, "chromium.sh"), wrapper, { mode: 0o755 });
}

const wrapper = `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/al2023/lib:$here/al2023:$here/swiftshader\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
if [ ! -s "$FONTCONFIG_FILE" ] || ! grep -qF "<dir>$here/" "$FONTCONFIG_FILE"; then
  cat >"$FONTCONFIG_FILE.$$" <<EOF
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>$here/node_modules/dejavu-fonts-ttf/ttf</dir>
  <cachedir>$here/font-cache</cachedir>
  <selectfont><rejectfont><glob>*/DejaVuSerif*</glob><glob>*/DejaVuMath*</glob></rejectfont></selectfont>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
EOF
  mv "$FONTCONFIG_FILE.$$" "$FONTCONFIG_FILE"
fi
exec "$here/chromium" "$@"
`;
