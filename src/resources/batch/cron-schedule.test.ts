import { describe, expect, it } from 'vitest';
import { scheduleProblem } from './cron-schedule.ts';

describe('scheduleProblem', () => {
  it.each([
    '* * * * *',
    ' 0  0\t1 1 0 ',
    '*/15 0-23/2 ? * 1-5',
    '0 0 1,15,31 jan-Mar,DEC SUN',
    '5/10 * * * *',
    ', * * * *',
    '+5 * * * *',
    '@annually',
    '@every 1h30m',
    '@every -5s',
    'TZ=Europe/Berlin 0 0 * * *',
    'CRON_TZ=UTC @hourly',
  ])('takes %j', (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined();
  });

  it.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    [' ', 'expected exactly 5 fields, found 0: []'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['* -1 * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    [
      '* 99999999999999999999 * * *',
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ['* 24 * * *', 'end of range (24) above maximum (23): 24'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * 12-1 *', 'beginning of range (12) beyond end of range (1): 12-1'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['* * * MON *', 'failed to parse int from MON: strconv.Atoi: parsing "MON": invalid syntax'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/2/3 * * * *', 'too many slashes: */2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['*/x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['70 80 * * *', 'end of range (70) above maximum (59): 70'],
    ['@never', 'unrecognized descriptor: @never'],
    ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
    ['TZ=Nowhere 0 0 * * *', 'provided bad location Nowhere: unknown time zone Nowhere'],
  ])('refuses %j', (schedule, problem) => {
    expect(scheduleProblem(schedule)).toBe(problem);
  });
});
