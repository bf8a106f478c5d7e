import { field, listOf, namedString, rawExtension, string, struct } from '../../schema/builders.ts';
import { Status } from '../../schema/meta-types.ts';

// The request and response of a conversion webhook.

export const ConversionReview = struct('apiextensions/v1.ConversionReview', () => ({
  request: field(1, ConversionRequest, { pointer: true }),
  response: field(2, ConversionResponse, { pointer: true }),
}));

export const ConversionRequest = struct('apiextensions/v1.ConversionRequest', () => ({
  uid: field(1, namedString('types.UID'), { always: true }),
  desiredAPIVersion: field(2, string, { always: true }),
  objects: field(3, listOf(rawExtension), { always: true }),
}));

export const ConversionResponse = struct('apiextensions/v1.ConversionResponse', () => ({
  uid: field(1, namedString('types.UID'), { always: true }),
  convertedObjects: field(2, listOf(rawExtension), { always: true }),
  result: field(3, Status, { always: true }),
}));
