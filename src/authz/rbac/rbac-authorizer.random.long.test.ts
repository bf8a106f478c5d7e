import './rbac-authorizer.random.test.ts';
