import { build } from 'esbuild'
import ts from 'typescript'
import { pure } from './scripts/pure.mjs'
import { yamlReading } from './scripts/yaml.mjs'
const [name, entry, src]=process.argv.slice(2)
const b=async from=>{const r=await build({stdin:{contents:`export { ${name} } from '${from}'`,resolveDir:'.',sourcefile:'bundle.js'},bundle:true,minify:true,splitting:true,format:'esm',target:'es2022',platform:'neutral',external:['node:*'],outdir:'bundle',write:false,metafile:true,plugins:[yamlReading,pure]})
const outs=r.metafile.outputs;const start=Object.keys(outs).find(p=>outs[p].entryPoint==='bundle.js');const l=new Set([start]);for(const p of l)for(const i of outs[p].imports)if(i.kind==='import-statement')l.add(i.path)
return r.outputFiles.filter(f=>[...l].some(p=>f.path.endsWith(p))).map(f=>f.text).join('\n')}
const lits=t=>{const s=ts.createSourceFile('a.js',t,99);const m=new Map();const v=n=>{if(ts.isStringLiteralLike(n)||ts.isRegularExpressionLiteral(n)||ts.isTemplateHead(n))m.set(n.text,(m.get(n.text)??0)+1);if(ts.isPropertyAccessExpression(n))m.set('.'+n.name.text,(m.get('.'+n.name.text)??0)+1);ts.forEachChild(n,v)};v(s);return m}
const A=await b(`./dist/${entry}.js`),B=await b(src);console.log(A.length,B.length);const a=lits(A),c=lits(B)
let only=[];for(const [k,n] of a)if(!c.has(k))only.push(k);console.log(only.length,only.map(x=>x.slice(0,60)).join(' | ').slice(0,6000))
