// For the library below, which uses decorators.
import 'reflect-metadata';
import { randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { certificateFiles, certificateNames } from './certificate-files.ts';
import { makePrivateFolder, writePrivateText } from './private-files.ts';

const dayMs = 24 * 3_600_000;
const validDays = 365;
/** Certificates that expire sooner are replaced at the next start. */
const daysLeftMin = 90;

/** Writes certificates for a run into the data folder, unless there are some that are valid for long enough. */
export async function ensureCertificates(dataDir: string): Promise<void> {
  if (await haveTimeLeft(dataDir)) return;
  await makePrivateFolder(join(dataDir, 'tls'));
  const authority = await createAuthority();
  for (const name of certificateNames) {
    const files = certificateFiles(dataDir, name);
    const { cert, key } = await authority.issue(name);
    await writePrivateText(files.ca, authority.ca);
    await writePrivateText(files.key, key);
    await writePrivateText(files.cert, cert);
  }
}

async function haveTimeLeft(dataDir: string): Promise<boolean> {
  const soonest = Date.now() + daysLeftMin * dayMs;
  try {
    for (const name of certificateNames) {
      const files = certificateFiles(dataDir, name);
      const [ca, cert] = await Promise.all([files.ca, files.cert].map((path) => readFile(path)));
      const own = new X509Certificate(cert ?? '');
      await readFile(files.key);
      if (!own.verify(new X509Certificate(ca ?? '').publicKey) || own.validToDate.getTime() < soonest)
        return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** An authority whose key exists only in the memory of this process. */
export interface Authority {
  /** Its certificate as PEM. */
  ca: string;
  /** Returns a certificate and its key as PEM. Default: from now, valid for a year. */
  issue(name: string, validity?: { from?: Date; to?: Date }): Promise<{ cert: string; key: string }>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export async function createAuthority(): Promise<Authority> {
  const keys = await newKeys();
  const issuer = 'CN=Parley local authority';
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: issuer,
    ...validityOf({}),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    ca: certificate.toString('pem'),
    issue: async (name, validity = {}) => {
      const own = await newKeys();
      const issued = await X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: `CN=${name}`,
        issuer,
        ...validityOf(validity),
        signingAlgorithm: algorithm,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        ],
      });
      return { cert: issued.toString('pem'), key: await pemOf(own.privateKey) };
    },
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{64}/g, '$&\n').trim()}\n-----END PRIVATE KEY-----\n`;
}

const serialNumber = (): string => `01${randomBytes(15).toString('hex')}`;

/** From a minute ago: clocks of a machine's containers may differ. */
function validityOf({ from = new Date(Date.now() - 60_000), to }: { from?: Date; to?: Date }) {
  return { notBefore: from, notAfter: to ?? new Date(Date.now() + validDays * dayMs) };
}
