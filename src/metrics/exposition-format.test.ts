import { describe, expect, it } from 'vitest';
import { negotiateExposition } from './exposition-format.ts';

const plain = 'text/plain; version=0.0.4; charset=utf-8';
const open = (version: string) => `application/openmetrics-text; version=${version}; charset=utf-8`;

describe('negotiateExposition', () => {
  it.each([
    [undefined, plain],
    ['*/*', plain],
    ['application/json', plain],
    ['application/openmetrics-text', open('1.0.0')],
    ['application/openmetrics-text; version=0.0.1', open('0.0.1')],
    ['application/openmetrics-text; version=2.0.0', plain],
    ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1', open('1.0.0')],
    ['application/openmetrics-text;version=1.0.0;q=0.2,text/plain;version=0.0.4;q=0.3', plain],
    ['application/openmetrics-text;q=0', plain],
    ['application/openmetrics-text;q=x', plain],
  ])('answers %j with %s', (accept, contentType) => {
    expect(negotiateExposition(accept).contentType).toBe(contentType);
    expect(negotiateExposition(accept).isOpenMetrics).toBe(contentType !== plain);
  });
});
