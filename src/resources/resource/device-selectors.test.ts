import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { runSync } from '../../meta/turns.ts';
import { deviceClassRules } from './device-class-rules.ts';
import { checkSelectors } from './device-selectors.ts';

function problemOf(expression: string): string | undefined {
  const error = runSync(checkSelectors([expression])).get(expression);
  return error === undefined ? undefined : fieldErrorText(error('f'));
}

describe('expressions that select devices', () => {
  it.each([
    'true',
    'device.driver == "gpu.example.com"',
    'device.attributes["gpu.example.com"].model == "a"',
    'device.attributes["gpu.example.com"].healthy',
    'device.capacity["gpu.example.com"].memory.compareTo(quantity("1Gi")) >= 0',
    'cel.bind(gpu, device.attributes["gpu.example.com"], gpu.healthy && gpu.model == "a")',
    'device.attributes["gpu.example.com"].version.isGreaterThan(semver("1.0.0"))',
    'device.allowMultipleAllocations == true',
    // The sizes of texts are limited.
    'device.driver.matches("^gpu[.].*[.]com$")',
    'device.attributes["gpu.example.com"].model.matches("^a.*b$")',
    'device.attributes["gpu.example.com"]["model"].contains("a".replace("", "bcdefg"))',
  ])('%s is valid', (expression) => {
    expect(problemOf(expression)).toBeUndefined();
  });

  it.each([
    ['"a"', 'f: Invalid value: "\\"a\\"": must evaluate to bool or the unknown type, not string'],
    ['device.capacity', 'not map(string, map(string, kubernetes.Quantity))'],
    ['object.x', "compilation failed: ERROR: <input>:1:1: undeclared reference to 'object' (in container '')"],
    ['device.nodeName == "n"', "compilation failed: ERROR: <input>:1:7: undefined field 'nodeName'"],
    [
      'device.attributes[true].x',
      "1:18: found no matching overload for '_[_]' applied to '(map(string, map(string, any)), bool)'",
    ],
    ['', "Syntax error: mismatched input '<EOF>' expecting"],
    [nested(7), 'f: Forbidden: too complex, exceeds cost limit'],
  ])('%s is refused', (expression, text) => {
    expect(problemOf(expression)).toContain(text);
  });
});

/** Loops in loops over ten numbers. */
function nested(depth: number): string {
  let expression = 'true';
  for (let level = 0; level < depth; level++)
    expression = `[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(x${level}, ${expression})`;
  return expression;
}

it('reports the place of an invalid expression in a class', () => {
  const selectors = [{ cel: { expression: 'true' } }, { cel: { expression: 'x' } }, {}, { cel: {} }];
  const deviceClass = { metadata: { name: 'c' }, spec: { selectors } };
  const errors = runSync(deviceClassRules.validateSteps!(deviceClass, { oldObject: undefined, endpoint: 'main' }));
  expect(errors.map(({ field }) => field)).toEqual([
    'spec.selectors[1].cel.expression',
    'spec.selectors[2].cel',
    'spec.selectors[3].cel.expression',
  ]);
});

it('does not compile an expression that is too long', () => {
  const selectors = [{ cel: { expression: 'x'.repeat(10 * 1024 + 1) } }];
  const deviceClass = { metadata: { name: 'c' }, spec: { selectors } };
  const errors = runSync(deviceClassRules.validateSteps!(deviceClass, { oldObject: undefined, endpoint: 'main' }));
  expect(errors.map(({ reason }) => reason)).toEqual(['FieldValueTooLong']);
});
