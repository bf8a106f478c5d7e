import { describe, expect, test } from 'vitest';
import { PackageDescriptions } from './package-descriptions.ts';

const descriptions = new PackageDescriptions({
  'shop/v2': [
    { Order: { '': 'An order.', total: 'The sum.' } },
    { Basket: { '': 'A basket.', constructor: 'Who has made it.' } },
  ],
  'shop/v1': [{ Order: { total: 'The sum in cents.' } }, { Coupon: { '': 'A coupon.' } }],
  'shopping/v1': [{ Trolley: { '': 'A trolley.' } }],
  version: [{ Info: { '': 'A version.', major: 'The first part.' } }],
});

describe('a type', () => {
  test.each([
    ['shop/v2.Order', 'An order.'],
    ['shop/v2.Basket', 'A basket.'],
    ['shop/v1.Order', 'An order.'],
    ['shop/v1beta1.Order', 'An order.'],
    ['shop/v1beta1.Coupon', 'A coupon.'],
    ['version/Info', 'A version.'],
    ['shop/v1.OrderList', 'A list of Order objects.'],
    ['stable.example.com/v1.CronTabList', 'A list of CronTab objects.'],
    ['shop/v1.Trolley', undefined],
    ['other/v1.Order', undefined],
    ['stable.example.com/v1.CronTab', undefined],
  ])('%s: %s', (typeName, text) => {
    expect(descriptions.type(typeName)).toBe(text);
  });
});

describe('a field', () => {
  const ofObject = 'Name, namespace, labels, annotations and everything else that all objects have.';
  const ofList = 'Version of the whole list, and the token of its next part.';

  test.each([
    ['shop/v2.Order', 'total', 'The sum.'],
    ['shop/v1.Order', 'total', 'The sum in cents.'],
    ['shop/v1beta1.Order', 'total', 'The sum.'],
    ['shop/v2.Basket', 'constructor', 'Who has made it.'],
    ['version/Info', 'major', 'The first part.'],
    ['shop/v2.Order', 'metadata', ofObject],
    ['stable.example.com/v1.CronTab', 'metadata', ofObject],
    ['shop/v2.OrderList', 'metadata', ofList],
    ['shop/v2.OrderList', 'items', 'The objects of the list.'],
    ['shop/v2.Order', 'items', undefined],
    ['stable.example.com/v1.CronTab', 'constructor', undefined],
  ])('%s %s: %s', (typeName, fieldName, text) => {
    expect(descriptions.field(typeName, fieldName)).toBe(text);
  });
});
