import { build } from 'esbuild'
import { ENTRIES } from './scripts/entries.mjs'
import { pure } from './scripts/pure.mjs'
import { cut } from './scripts/cut.mjs'
import { explanations } from './scripts/explanations.mjs'
import { yamlReading } from './scripts/yaml.mjs'
const P={ entryPoints: { ...ENTRIES, 'cli/blazon': 'cli/blazon.ts' }, outdir: 'x', bundle: true, splitting: true, format: 'esm', target: 'es2022', platform: 'neutral', external: ['#wasm', 'node:*'], write: false, metafile: true, chunkNames: 'chunks/[name]-[hash]'}
const { metafile } = await build({...P, plugins: [yamlReading, explanations, pure] })
const m=await build({...P, plugins: [yamlReading, explanations, cut(metafile), pure] })
const o=m.metafile.outputs
const which=p=>Object.entries(o).find(([k,v])=>p in v.inputs&&v.inputs[p].bytesInOutput>0)
for(const p of process.argv.slice(2)){const w=which(p);console.log(p,'->',w?.[0],w?.[1].bytes);const by={};for(const [i,{bytesInOutput:b}] of Object.entries(w?.[1].inputs??{})){const k=i.split('/').slice(0,2).join('/');by[k]=(by[k]??0)+b}console.log('   ',Object.entries(by).sort((a,b)=>b[1]-a[1]).slice(0,14).map(([k,v])=>k+' '+v).join(', '))}
if(process.argv.length<3)for(const [k,v] of Object.entries(o).sort((a,b)=>b[1].bytes-a[1].bytes).slice(0,22)){const by={};for(const [i,{bytesInOutput:b}] of Object.entries(v.inputs)){const kk=i.split('/').slice(0,2).join('/');by[kk]=(by[kk]??0)+b};console.log(k,v.bytes,Object.entries(by).sort((a,b)=>b[1]-a[1]).slice(0,8).map(([k,v])=>k.replace('bindings/','')+' '+v).join(', '))}
