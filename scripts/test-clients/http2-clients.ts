import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clientsFolder } from '../output-folders.ts';
import { type DebianPackage, type DebianProgram, fetchPackages, programOf } from './debian-package.ts';

const curl: DebianPackage = { name: 'curl', suite: 'own', hasLibraries: true };
const nghttp2: DebianPackage = { name: 'nghttp2-client', suite: 'own', hasLibraries: true };
const pythonH2: DebianPackage = { name: 'python3-h2', suite: 'own', others: ['python3-hpack', 'python3-hyperframe'] };
// A machine with Chromium installed also has the common packages that it depends on.
const chromium: DebianPackage = { name: 'chromium', suite: 'own', others: ['chromium-common'], hasLibraries: true };

/** Downloads clients of HTTP/2. Returns those that are not available, with the reason. */
export function fetchHttp2Clients(): Promise<string[]> {
  return fetchPackages(clientsFolder, [curl, nghttp2, pythonH2]);
}

/** Downloads the browser. It is separate from the others because it has a hundred megabytes. */
export function fetchChromium(): Promise<string[]> {
  return fetchPackages(clientsFolder, [chromium]);
}

export const fetchedCurl = (): DebianProgram | undefined => programOf(clientsFolder, curl, 'usr/bin/curl');
export const fetchedNghttp = (): DebianProgram | undefined => programOf(clientsFolder, nghttp2, 'usr/bin/nghttp');
export const fetchedH2load = (): DebianProgram | undefined => programOf(clientsFolder, nghttp2, 'usr/bin/h2load');
export const fetchedChromium = (): DebianProgram | undefined =>
  programOf(clientsFolder, chromium, 'usr/lib/chromium/chromium');

/** The folder of Python's `h2`, which needs a Python installation on the machine. */
export function fetchedPythonH2(): string | undefined {
  const folder = join(clientsFolder, `${pythonH2.name}-${pythonH2.suite}`, 'usr/lib/python3/dist-packages');
  return existsSync(folder) ? folder : undefined;
}
