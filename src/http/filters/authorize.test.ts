import { expect, it } from 'vitest';
import type { Attributes, Authorizer } from '../../authz/index.ts';
import { InMemoryExchange } from '../discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../object-formats.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { Authorization } from './authorize.ts';

/** The attributes that the authorizer gets for a request. */
function attributesOf(method: string, path: string): Attributes {
  const exchange = new InMemoryExchange(path);
  const context = new RequestContext(
    exchange,
    requestInfo(method, exchange.path, exchange.query),
    new ObjectFormats(['json']),
  );
  context.user = { name: 'jane', uid: '', groups: [], extra: {} };
  const questions: Attributes[] = [];
  const authorizer: Authorizer = {
    authorize(attributes) {
      questions.push(attributes);
      return { decision: 'allow', reason: '' };
    },
  };
  void new Authorization(authorizer).filter(context, () => {});
  return questions[0]!;
}

it.each([
  ['GET', '/api/v1/namespaces/x/pods?fieldSelector=metadata.name%3Dp', 'list', 'p'],
  ['GET', '/api/v1/namespaces/x/pods?watch=1&fieldSelector=metadata.name%3Dp', 'watch', 'p'],
  ['GET', '/api/v1/watch/namespaces/x/pods/p', 'watch', 'p'],
  ['DELETE', '/api/v1/namespaces/x/pods?fieldSelector=metadata.name%3Dp', 'deletecollection', ''],
  ['GET', '/api/v1/namespaces/x/pods?fieldSelector=metadata.name!%3Dp', 'list', ''],
  ['GET', '/api/v1/namespaces/x/pods?fieldSelector=metadata.name%3Da/b', 'list', ''],
  ['GET', '/api/v1/namespaces/x/pods?fieldSelector=metadata.name', 'list', ''],
  ['GET', '/api/v1/namespaces/x/pods/q?fieldSelector=metadata.name%3Dp', 'get', 'q'],
  ['POST', '/api/v1/namespaces/x/pods?fieldSelector=metadata.name%3Dp', 'create', ''],
])('%s %s has the verb %s and the name "%s"', (method, path, verb, name) => {
  expect(attributesOf(method, path)).toMatchObject({ verb, resource: { resource: 'pods', namespace: 'x', name } });
});
