/** Neovim, and Emacs with Eglot: whether they are here, and getting them where a Debian system lets us. */
import { installDebianPackages, works } from "./debian";

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

/** Installs what is missing, where that can be done. */
export async function installEditors(): Promise<void> {
  await installDebianPackages((await missing()).flatMap(({ packages }) => packages));
}

async function missing(): Promise<Editor[]> {
  const found = await Promise.all(editors.map(({ probe }) => works(probe)));
  return editors.filter((_, index) => !found[index]);
}
