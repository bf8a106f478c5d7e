import { expect, it } from 'vitest';
import { startServer } from '../server/index.ts';
import { combinedTrust } from './combined-trust.ts';

/** The CA of a server. */
async function newCa(): Promise<string> {
  const server = await startServer({ storage: 'memory', controllers: [] });
  await server.stop();
  const [, encoded] = /certificate-authority-data: "?([\w+/=]+)/.exec(server.kubeconfig)!;
  return Buffer.from(encoded!, 'base64').toString().trim();
}

it('has the CAs of all servers once, those that are published first', async () => {
  const [one, other] = [await newCa(), await newCa()];
  const published = { 'client-ca-file': `${one}\n` };
  const both = combinedTrust(published, { 'client-ca-file': `${other}\n${one}\n` });
  expect(both).toEqual({ 'client-ca-file': `${one}\n${other}\n` });
  expect(combinedTrust(both, { 'client-ca-file': `${other}\n` })).toEqual(both);
  expect(combinedTrust(both, {})).toEqual(both);
});

it('leaves out what is no certificate', async () => {
  const ca = await newCa();
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
  expect(combinedTrust({ 'client-ca-file': `${broken}\nx` }, { 'client-ca-file': ca })).toEqual({
    'client-ca-file': `${ca}\n`,
  });
});

it.each([
  ['requestheader-username-headers', '["A"]', '["B","A"]', '["A","B"]'],
  ['requestheader-allowed-names', '["a"]', '["b"]', '["a","b"]'],
  ['requestheader-allowed-names', '[]', '["b"]', '[]'],
  ['requestheader-allowed-names', '["a"]', '[]', '[]'],
  ['requestheader-group-headers', 'damaged', '["B"]', '["B"]'],
])('combines %s %s and %s to %s', (key, published, own, expected) => {
  expect(combinedTrust({ [key]: published }, { [key]: own })).toEqual({ [key]: expected });
});
