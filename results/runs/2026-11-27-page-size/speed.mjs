import { readFileSync } from "node:fs";
const enc=new TextEncoder(), dec=new TextDecoder();
async function load(f){ let lib; let last; const text=(a,l)=>dec.decode(new Uint8Array(lib.memory.buffer,a,l));
 const host={now:()=>performance.now(), tell:(a,l,b,m)=>{last=[text(a,l),text(b,m)]},decode:()=>-2};
 const t0=process.cpuUsage();
 const {instance}=await WebAssembly.instantiate(readFileSync(f),{host}); lib=instance.exports;
 const call=(m)=>{const h=enc.encode(JSON.stringify(m)); const at=lib.input(4+h.length); const v=new Uint8Array(lib.memory.buffer,at,4+h.length); new DataView(v.buffer,at).setUint32(0,h.length,true); v.set(h,4); return lib.call();};
 return {search(fen){ const b=process.cpuUsage(); call({kind:"search",query:new URLSearchParams({fen,seconds:300,moves_valued:"best"}).toString()}); const u=process.cpuUsage(b).user/1e6; return [u.toFixed(2), JSON.parse(last[1]).nodes];}};
}
for (const f of process.argv.slice(2)) { const r=[]; for (const fen of ["1q1q1/q3q/5/Q3Q/1Q1Q1 w","1qq1/q2q/4/Q2Q/1QQ1 w","1qq1/q2q/4/4/4/Q2Q/1QQ1 w"]) { const a=await load(f); r.push(a.search(fen).join(" s ")); } console.log(f, r.join(" | ")); }
