/** Installs Debian packages, for programs that no npm package provides. */
import { capture } from "./project";

/** Installs packages if this is root on a system with apt-get; prints one line if that fails. */
export async function installDebianPackages(names: readonly string[]): Promise<void> {
  if (names.length === 0 || process.getuid?.() !== 0 || !(await works(["apt-get", "--version"]))) return;
  console.log(`Installing ${names.join(", ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await capture("apt-get", ["update", "-qq"], { env });
  const install = ["install", "-y", "-qq", "--no-install-recommends", ...names];
  const { code, output } = await capture("apt-get", install, { env });
  if (code !== 0) console.log(`apt-get couldn't install them: ${output.trim().split("\n").at(-1)}`);
}

/** Whether a program exists and exits with 0. */
export async function works([program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  return capture(program, args).then(
    ({ code }) => code === 0,
    () => false,
  );
}
