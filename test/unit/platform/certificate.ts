/**
 * Creates certificates at run time, so that none in the project can expire and it contains no private key. Node can
 * parse certificates but not create them; the few nested values (DER) are written here.
 */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface Identity {
  /** In PEM, as servers take them. */
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

export interface Wish {
  readonly name: string;
  /** The issuer; without one it is self-signed. */
  readonly by?: Identity;
  /** Its IP addresses; a certificate without any is an authority. */
  readonly ip?: readonly number[];
  readonly days?: readonly [from: number, to: number];
}

export function certificate({ name, by, ip, days = [-1, 1] }: Wish): Identity {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [from, to] = days.map((day) => time(new Date(Date.now() + day * 86_400_000)));
  const extension = ip
    ? sequence(oid("551d11"), octets(sequence(value(0x87, Buffer.from(ip)))))
    : sequence(oid("551d13"), value(0x01, Buffer.from([0xff])), octets(sequence(value(0x01, Buffer.from([0xff])))));
  const content = sequence(
    value(0xa0, integer(2)),
    integer(by ? 2 : 1),
    ECDSA_WITH_SHA256,
    title(by?.name ?? name),
    sequence(from as Buffer, to as Buffer),
    title(name),
    publicKey.export({ type: "spki", format: "der" }),
    value(0xa3, sequence(extension)),
  );
  const signature = sign("sha256", content, by?.privateKey ?? privateKey);
  const whole = sequence(content, ECDSA_WITH_SHA256, value(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    name,
    privateKey,
  };
}

function value(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => value(0x30, ...parts);
const octets = (content: Uint8Array) => value(0x04, content);
const oid = (hex: string) => value(0x06, Buffer.from(hex, "hex"));
const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));

/** Up to 127. */
const integer = (number: number) => value(0x02, Buffer.from([number]));

function title(name: string): Buffer {
  return sequence(value(0x31, sequence(oid("550403"), value(0x0c, Buffer.from(name)))));
}

function time(date: Date): Buffer {
  return value(0x18, Buffer.from(`${date.toISOString().replace(/\.\d+|[-:T]/g, "")}`));
}
