import { describe, expect, it } from 'vitest';
import { parseTracingConfiguration } from './tracing-configuration.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n';
const parse = (text: string) => parseTracingConfiguration(Buffer.from(text));

describe('parseTracingConfiguration', () => {
  it.each([
    [head, { endpoint: 'localhost:4317', samplingRatePerMillion: 0 }],
    [
      `${head}endpoint: collector:4317\nsamplingRatePerMillion: 100`,
      { endpoint: 'collector:4317', samplingRatePerMillion: 100 },
    ],
    [
      `${head.replace('v1', 'v1beta1')}endpoint: dns://1.2.3.4/c:1\nsamplingRatePerMillion: 1000000`,
      { endpoint: 'dns://1.2.3.4/c:1', samplingRatePerMillion: 1_000_000 },
    ],
  ])('reads %j', (text, configuration) => {
    expect(parse(text)).toEqual(configuration);
  });

  it.each([
    ['', /the file is empty/],
    ['kind: TracingConfiguration', /must be of kind "TracingConfiguration" and apiVersion/],
    [`${head}samplingRatePerMillion: -1`, /samplingRatePerMillion: Invalid value: -1: sampling rate must be between/],
    [`${head}samplingRatePerMillion: 1000001`, /samplingRatePerMillion/],
    [`${head}samplingRatePerMillion: many`, /must be an integer/],
    [`${head}endpoint: https://x`, /endpoint: .*unsupported scheme: https/],
    [`${head}endpoints: x`, /unknown field.*endpoints/],
  ])('refuses %j', (text, message) => {
    expect(() => parse(text)).toThrow(RangeError);
    expect(() => parse(text)).toThrow(message);
  });
});
