import { generateKeyPairSync, sign } from "node:crypto";

/** DER, as far as a certificate needs it. */
const tagged = (tag: number, ...parts: (Buffer | string)[]) => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const size = content.length;
  const length = size < 128 ? [size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, "hex");
const utcTime = (year: number) => tagged(0x17, `${String(year % 100).padStart(2, "0")}0101000000Z`);

const ecdsaWithSha256 = sequence(tagged(0x06, hex("2a8648ce3d040302")));
const subjectAltName = tagged(0x06, hex("551d11"));
const commonName = tagged(0x06, hex("550403"));

/** A key and its self-signed certificate for host names, both in PEM. */
export function createCertificate(names: readonly string[]): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, "tests"))));
  const year = new Date().getUTCFullYear();
  const hosts = sequence(...names.map((name) => tagged(0x82, name)));
  const body = sequence(
    tagged(0xa0, tagged(0x02, hex("02"))),
    tagged(0x02, hex("01")),
    ecdsaWithSha256,
    issuer,
    sequence(utcTime(year - 1), utcTime(year + 2)),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(sequence(subjectAltName, tagged(0x04, hosts)))),
  );
  const signature = Buffer.concat([hex("00"), sign("sha256", body, privateKey)]);
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
  };
}
