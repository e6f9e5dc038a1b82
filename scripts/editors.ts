/** Detects Neovim and Emacs with Eglot, and installs them on Debian systems. */
import { installDebianPackages, works } from "./debian";

interface Editor {
  readonly name: string;
  readonly packages: readonly string[];
  /** Exits with 0 if the editor can be used. */
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

/** The names of the missing editors. */
export async function missingEditors(): Promise<string[]> {
  return (await missing()).map(({ name }) => name);
}

/** Installs missing editors if possible. */
export async function installEditors(): Promise<void> {
  await installDebianPackages((await missing()).flatMap(({ packages }) => packages));
}

async function missing(): Promise<Editor[]> {
  const found = await Promise.all(editors.map(({ probe }) => works(probe)));
  return editors.filter((_, index) => !found[index]);
}
