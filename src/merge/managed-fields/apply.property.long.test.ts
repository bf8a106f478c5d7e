import './apply.property.test.ts';
