import { expect, it } from 'vitest';
import { RefusedConnections } from './refused-connections.ts';

function fixture() {
  const logged: string[] = [];
  const state = { code: '', time: 0 };
  const refused = new RefusedConnections({
    log: {
      info: (message) => logged.push(`info: ${message}`),
      error: (message) => logged.push(`error: ${message}`),
      flush: () => Promise.resolve(),
    },
    openFile: () => {
      if (state.code !== '') throw Object.assign(new Error(state.code), { code: state.code });
    },
    now: () => state.time,
  });
  const checkAt = (seconds: number, code: string): string[] => {
    state.time = seconds * 1000;
    state.code = code;
    refused.check();
    return logged.splice(0);
  };
  return { checkAt, refused, logged };
}

it.each([
  ['EMFILE', /^error: no file descriptor is left in this process: new connections are closed until others end/],
  ['ENFILE', /^error: no file descriptor is left in the system/],
])('%s is logged once a minute, and its end', (code, message) => {
  const { checkAt } = fixture();
  expect(checkAt(0, '')).toEqual([]);
  expect(checkAt(1, code)).toEqual([expect.stringMatching(message)]);
  for (let second = 2; second < 61; second++) expect(checkAt(second, code)).toEqual([]);
  expect(checkAt(61, code)).toEqual([expect.stringMatching(message)]);
  expect(checkAt(62, '')).toEqual(['info: file descriptors are free again: connections are accepted']);
  expect(checkAt(63, '')).toEqual([]);
});

it('a shortage that comes and goes is logged once a minute', () => {
  const { checkAt } = fixture();
  const lines = Array.from({ length: 60 }, (_, second) => checkAt(second, second % 2 === 0 ? 'EMFILE' : ''));
  expect(lines.flat()).toEqual([expect.stringMatching(/^error:/), expect.stringMatching(/^info:/)]);
});

it('other errors of files do not matter, and those of connections are logged once a minute', () => {
  const { checkAt, refused, logged } = fixture();
  expect(checkAt(0, 'ENOENT')).toEqual([]);
  for (let i = 0; i < 100; i++) refused.report(new Error('accept ENOBUFS'));
  expect(logged).toEqual(['error: a connection could not be accepted']);
});
