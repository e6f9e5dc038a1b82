/** Neovim, and Emacs with Eglot: whether they are here, and getting them where a Debian system lets us. */
import { capture } from "./project";

interface Editor {
  readonly name: string;
  readonly packages: readonly string[];
  /** Ends with 0 where the editor can be used. */
  readonly probe: readonly [string, ...string[]];
}

const editors: readonly Editor[] = [
  { name: "Neovim", packages: ["neovim"], probe: ["nvim", "--version"] },
  {
    name: "Emacs with Eglot",
    packages: ["emacs-nox", "elpa-eglot"],
    probe: ["emacs", "-q", "--batch", "--eval", "(progn (require 'package) (package-initialize) (require 'eglot))"],
  },
];

/** The names of those that are not here. */
export async function missingEditors(): Promise<string[]> {
  return (await missing()).map(({ name }) => name);
}

/** Installs what is missing, if this is root on a system with apt-get; else leaves it. */
export async function installEditors(): Promise<void> {
  const wanted = (await missing()).flatMap(({ packages }) => packages);
  if (wanted.length === 0 || process.getuid?.() !== 0 || !(await works(["apt-get", "--version"]))) return;
  console.log(`Installing ${wanted.join(", ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await capture("apt-get", ["update", "-qq"], { env });
  const { code, output } = await capture("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...wanted], {
    env,
  });
  if (code !== 0) console.log(`apt-get could not install them: ${output.trim().split("\n").at(-1)}`);
}

async function missing(): Promise<Editor[]> {
  const found = await Promise.all(editors.map(({ probe }) => works(probe)));
  return editors.filter((_, index) => !found[index]);
}

async function works([program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  return capture(program, args).then(
    ({ code }) => code === 0,
    () => false,
  );
}
