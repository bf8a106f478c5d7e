import { describe, expect, it } from 'vitest';
import { anyText, duration, flagsHelp, integer, oneOf, parseFlags, text, UsageError } from './flags.ts';

const flags = {
  port: {
    name: 'port',
    placeholder: 'PORT',
    help: 'where to listen',
    fallback: '80',
    parse: integer({ min: 0, max: 99 }),
  },
  name: { name: 'name', placeholder: 'NAME', help: 'who', parse: text },
  wait: { name: 'wait', placeholder: 'DURATION', help: 'how long', parse: duration },
  mode: { name: 'mode', placeholder: 'a|b', help: 'how', parse: oneOf('a', 'b') },
  rest: { name: 'rest', placeholder: 'TEXT', help: 'more', fallback: '', parse: anyText },
};

describe('parseFlags', () => {
  it('parses both notations and applies defaults', () => {
    expect(parseFlags(flags, ['--port=7', '--name', 'x', '--wait=1m30.5s', '--mode=b'])).toEqual({
      port: 7,
      name: 'x',
      wait: 90_500,
      mode: 'b',
      rest: '',
    });
    expect(parseFlags(flags, [])).toEqual({ port: 80, name: undefined, wait: undefined, mode: undefined, rest: '' });
  });

  it('uses the last value', () => {
    expect(parseFlags(flags, ['--port=1', '--port=2']).port).toBe(2);
  });

  it('accepts a value with an equals sign', () => {
    expect(parseFlags(flags, ['--rest=a=b,c=d']).rest).toBe('a=b,c=d');
  });

  it.each([
    [['--gadget=1'], 'unknown flag: --gadget'],
    [['--no-port'], 'unknown flag: --no-port'],
    [['-p'], 'unknown flag: -p'],
    [['--port'], /port/],
    [['extra'], /extra/],
    [['--port=x'], 'invalid value "x" for flag --port: must be an integer between 0 and 99'],
    [['--port=-1'], 'invalid value "-1" for flag --port: must be an integer between 0 and 99'],
    [['--port=100'], 'invalid value "100" for flag --port: must be an integer between 0 and 99'],
    [['--port=1e1'], 'invalid value "1e1" for flag --port: must be an integer between 0 and 99'],
    [['--port='], 'invalid value "" for flag --port: must be an integer between 0 and 99'],
    [['--name='], 'invalid value "" for flag --name: must not be empty'],
    [['--mode=c'], 'invalid value "c" for flag --mode: must be one of a, b'],
    [['--wait=5'], 'invalid value "5" for flag --wait: must be a duration such as 30s, 5m or 1h30m, not negative'],
    [['--wait=-5s'], 'invalid value "-5s" for flag --wait: must be a duration such as 30s, 5m or 1h30m, not negative'],
  ])('refuses %j', (args, message) => {
    const parsing = () => parseFlags(flags, args);
    expect(parsing).toThrow(UsageError);
    expect(parsing).toThrow(message);
  });
});

it('prints each flag with its text, default and kind', () => {
  expect(flagsHelp([flags.port, flags.name, flags.rest, { ...flags.name, kind: 'list' }])).toBe(
    [
      '  --port=PORT\n      where to listen (default 80)',
      '  --name=NAME\n      who',
      '  --rest=TEXT\n      more',
      '  --name=NAME\n      who (may be repeated)',
    ].join('\n'),
  );
});

it('wraps long texts', () => {
  const help = 'word '.repeat(50).trim();
  const lines = flagsHelp([{ ...flags.name, help }]).split('\n');
  expect(lines.every((line) => line.length <= 100)).toBe(true);
  expect(lines.slice(1).join(' ').replace(/ +/g, ' ').trim()).toBe(help);
});
