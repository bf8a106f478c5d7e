import { expect, test } from 'vitest';
import { TransferProgress } from './transfer-progress.ts';

/** Runs a transfer in which each report comes a second after the other. */
function shown(isTTY: boolean): string[] {
  const written: string[] = [];
  let now = 0;
  const progress = new TransferProgress({ isTTY, write: (text) => written.push(text) }, () => now);
  progress.line('copying');
  progress.start({ total: 4000, continued: true });
  for (let done = 500; done <= 4000; done += 500) {
    now += 1000;
    progress.report('copy', done);
  }
  now += 1000;
  progress.report('verify', 500);
  now += 1000;
  progress.report('verify', 1000);
  progress.end();
  return written;
}

test('a bar on a terminal', () => {
  const texts = shown(true);
  expect(texts.slice(0, 3)).toEqual([
    'copying\n',
    'continuing an interrupted copy\n',
    `\r\u001b[K[####${' '.repeat(26)}] 500 of 4000 copied, 500 per second`,
  ]);
  expect(texts.at(-2)).toBe(`\r\u001b[K[########${' '.repeat(22)}] 1000 of 4000 verified, 1000 per second`);
  expect(texts.at(-1)).toBe('\r\u001b[K');
});

test('a line now and then elsewhere', () => {
  expect(shown(false)).toEqual([
    'copying\n',
    'continuing an interrupted copy\n',
    '2500 of 4000 copied, 500 per second\n',
    '1000 of 4000 verified, 1000 per second\n',
  ]);
});
