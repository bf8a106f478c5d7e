import { expect, it } from 'vitest';
import { noMeter } from './meter.ts';

it('takes numbers that nobody reads', () => {
  const about = { help: 'Nothing.', labels: ['name'] } as const;
  noMeter
    .counter({ name: 'a_total', ...about })
    .of('x')
    .add();
  const gauge = noMeter.gauge({ name: 'b', ...about });
  gauge.of('x').set(1);
  gauge.of('x').add(-1);
  gauge.remove('x');
  noMeter
    .histogram({ name: 'c_seconds', buckets: [1], ...about })
    .of('x')
    .observe(2);
  let isRead = false;
  noMeter.beforeReading(() => {
    isRead = true;
  });
  expect(isRead).toBe(false);
});
