import { expect, test } from 'vitest';
import { platformName, versionInfo } from './version-info.ts';

test('names the Kubernetes release and the package', () => {
  const build = {
    packageVersion: '0.1.0-rc.1+x',
    gitCommit: 'abc',
    gitTreeState: 'clean',
    buildDate: '2030-01-02T03:04:05Z',
  } as const;
  expect(versionInfo(build)).toMatchObject({
    major: '1',
    minor: '36',
    gitVersion: 'v1.36.0+keelson.0.1.0-rc.1.x',
    gitCommit: 'abc',
    buildDate: '2030-01-02T03:04:05Z',
  });
});

test.each([
  ['linux', 'x64', 'linux/amd64'],
  ['darwin', 'arm64', 'darwin/arm64'],
  ['win32', 'ia32', 'windows/386'],
])('%s %s is %s', (system, architecture, name) => {
  expect(platformName(system, architecture)).toBe(name);
});
