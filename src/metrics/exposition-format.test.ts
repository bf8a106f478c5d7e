import { describe, expect, it } from 'vitest';
import { negotiateExposition } from './exposition-format.ts';

const withEscaping = (escaping: string) => `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}`;
const plain = withEscaping('underscores');
const open = (version: string, escaping = 'underscores') =>
  `application/openmetrics-text; version=${version}; charset=utf-8; escaping=${escaping}`;

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
    ['text/plain;version=0.0.4;escaping=dots', withEscaping('dots')],
    ['text/plain;escaping=other', plain],
    ['application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6', open('1.0.0', 'allow-utf-8')],
  ])('answers %j with %s', (accept, contentType) => {
    expect(negotiateExposition(accept).contentType).toBe(contentType);
    expect(negotiateExposition(accept).isOpenMetrics).toBe(contentType.startsWith('application/'));
  });
});
