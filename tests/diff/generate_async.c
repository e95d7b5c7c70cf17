/* Random tests of asynchronous operations and mbarrier objects: known programs of which an instruction is left out or
 * changed now and then, and programs put together freely. In a template `{a/b}` is one of the texts between the bars,
 * `;` ends an instruction and `|` a thread. */
#include <string.h>

#include "gen.h"

#define PICK_FROM(g, table) ((table)[below((g), ARRAY_LEN(table))])

struct program_template {
  const char *inits, *code;
  uint32_t unroll;
  enum { NEAR, LANES, FAR, GRIDS } where; /* the threads are of one CTA, of one warp, of the CTAs of a cluster, of grids
                                             of one CTA each */
};

#define EXPECT "mbarrier.arrive.expect_tx{//.release.cluster/.relaxed.cta}.shared::cta.b64 _, [b0], {16/16/16/16/32}"
#define LOAD "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [$5], [$0], 16, [b0]"
#define STORE "cp.async.bulk.global.shared::cta.bulk_group [$0], [$5], 16"
#define WAIT(b, p) "mbarrier.wait.parity{//.acquire.cluster/.relaxed.cta}.shared::cta.b64 [" b "], " p
#define ARRIVE(b) "mbarrier.arrive{//.release.cluster/.relaxed.cta}.shared::cta.b64 _, [" b "]"
#define REMOTE(b) "mbarrier.arrive{/.release.cluster/.relaxed.cluster}.shared::cluster.b64 _, [" b "]"
#define PROXY "fence.proxy.async{//.shared::cta/.shared::cluster/.global}"
#define FENCE "fence.{acq_rel/acquire/release}.{cta/cluster}"
#define READ "ld.shared.b128 r0, [$5]"
#define WRITE "st.shared.b128 [$5], {1/2/3}"
#define COMMIT "cp.async.bulk.commit_group"
#define JOIN "cp.async.bulk.wait_group{//.read} {0/0/1}"
#define RESTRICTED "fence.{release.sync_restrict::shared::cta/acquire.sync_restrict::shared::cluster}.cluster"
#define RELEASE "{fence.release.sync_restrict::shared::cta.cluster/fence.release.cluster/}"
#define ACQUIRE "{fence.acquire.sync_restrict::shared::cluster.cluster/fence.acquire.cluster/}"
#define PRODUCT "tcgen05.mma.cta_group::1.kind::f16 [$8], [$5], [$6]"
#define COMMITTED "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [b0]"
#define BEFORE "tcgen05.fence::before_thread_sync"
#define AFTER "tcgen05.fence::after_thread_sync"
#define FETCH "tcgen05.ld.sync.aligned.32x32b.x1.b32 r0, [$8];tcgen05.wait::ld.sync.aligned"
#define RESPONSE "$2=0; .shared .b128 $5=0; mbarrier b0=1"
#define REQUEST                                                                                                        \
  "clusterlaunchcontrol.try_cancel.async{/.shared::cta}.mbarrier::complete_tx::bytes{//.multicast::cluster::all}"      \
  ".b128 [$5], [b0]"
#define DECODE                                                                                                         \
  "ld.shared.b128 r9, [$5];clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p0, r9;selp.u32 r0, 1, 0, p0"
#define TENSORS ".shared .u32 $5=2; .shared .u32 $6=3; .tmem .u32 $8=1; mbarrier b0=1"
#define CELLS ".shared .u32 $5=2; .shared .u32 $6=3; .shared .u32 $7=0; mbarrier b0=1; 0:r9=0"
#define CELLS_OF_TWO CELLS "; 1:r9=0"
#define ALLOCATE                                                                                                       \
  "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$7], {32/32/64};ld.shared.u32 r9, [$7]"
#define RELEASED "tcgen05.dealloc.cta_group::1.sync.aligned.b32 r9, 32"
#define SUM(adds) "tcgen05.mma.cta_group::1.kind::f16 [r9], [$5], [$6], 0x08080010, " adds
#define PART "tcgen05.ld.sync.aligned.{32x32b.x2/16x64b.x2/16x128b.x1}.b32 {r0, r1}, [r9{//+2/+30}]"
#define PAIRED(n)                                                                                                      \
  "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [$7], " n ";ld.shared.u32 r9, [$7]"
#define FREED "tcgen05.dealloc.cta_group::2.sync.aligned.b32 r9, 32"
#define MEMORY ".b128 $0=1; .shared .b128 $5=0; mbarrier b0=1"

#define EXCHANGE                                                                                                       \
  "{setp.eq.u32 p0, r1, 0;vote.sync.any.pred p1, p0, 3/shfl.sync.idx.b32 r0, 1, 0, 31, 3/bar.warp.sync 3}"
#define COUNTED(b)                                                                                                     \
  "mbarrier.arrive{//_drop}.noComplete.shared::cta.b64 rd1, [" b "], {1/1/2};mbarrier.pending_count.b64 r0, rd1"

static const struct program_template templates[] = {
    {MEMORY, EXPECT ";" LOAD "|" WAIT("b0", "{0/0/0/1}") ";" FENCE ";" READ, 0, NEAR},
    {MEMORY, LOAD ";" EXPECT "|" WAIT("b0", "0") ";" READ, 0, NEAR},
    {MEMORY, EXPECT ";" LOAD ";" WAIT("b0", "0") ";" READ ";" WAIT("b0", "{0/1}"), 0, NEAR},
    {MEMORY,
     WRITE ";" PROXY ";" STORE ";" COMMIT ";" JOIN ";"
           "ld.global.b128 r1, [$0]",
     0, NEAR},
    {MEMORY, "bar.sync 0;" STORE ";" COMMIT ";" JOIN "; ld.global.b128 r1, [$0]|" WRITE ";" PROXY ";bar.sync 0", 0,
     false},
    {MEMORY, STORE ";" COMMIT ";" JOIN ";" WRITE ";" JOIN "; ld.global.b128 r1, [$0]", 0, NEAR},
    {MEMORY "; mbarrier b1=1", WAIT("b1", "0") ";" EXPECT ";" LOAD "|" READ ";" PROXY ";" ARRIVE("b1"), 0, NEAR},
    {MEMORY,
     EXPECT "; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$5], [$0], 16, "
            "[b0], {3/3/1/2};" WAIT("b0", "0") ";" READ "|" EXPECT ";" WAIT("b0", "0") ";" READ,
     0, FAR},
    {"$2=0; mbarrier b0={1/1/2}", "st.weak.u32 [$2], 1;" REMOTE("cta1:b0") "|" WAIT("b0", "0") "; ld.weak.u32 r0, [$2]",
     0, FAR},
    {"$2=0; mbarrier b0",
     "mbarrier.init.shared::cta.b64 [b0], 1;{/fence.mbarrier_init.release.cluster};barrier.cluster.arrive{/.relaxed};"
     "barrier.cluster.wait;" WAIT("b0",
                                  "0") "|barrier.cluster.arrive{/.relaxed};barrier.cluster.wait;" REMOTE("cta0:b0"),
     0, FAR},
    {MEMORY,
     "cp.async.cg.shared.global [$5], [$0], 16;{cp.async.commit_group/};cp.async.wait_{all/group 0/group 1};"
     "bar.sync 0|bar.sync 0;" READ,
     0, NEAR},
    {".b128 $0=1; .shared .b128 $5=0; mbarrier b0={1/2}",
     "cp.async.ca.shared.global [$5], [$0], 16;cp.async.mbarrier.arrive{/.noinc}.shared.b64 [b0];{" ARRIVE(
         "b0") "/}|" WAIT("b0", "0") ";" READ,
     0, NEAR},
    {".shared .u32 $5=0; mbarrier b0={1/1/2}",
     "{st.async/st.async.weak/red.async.relaxed.cluster.add}.shared::cluster.mbarrier::complete_tx::bytes.u32 "
     "[cta1:$5], 1, [cta1:b0]|"
     "mbarrier.arrive.expect_tx.shared::cta.b64 _, [b0], 4;" WAIT("b0", "0") "; ld.shared.u32 r0, [$5]",
     0, FAR},
    {"$0=0; $2=0",
     "st.weak.u32 [$2], 1; st.async.release.{gpu/sys}.global.u32 [$0], 1|"
     "ld.{acquire/relaxed}.gpu.u32 r0, [$0]; ld.weak.u32 r1, [$2]",
     0, NEAR},
    {".shared .b128 $5=1; .shared .b128 $6=1",
     "st.shared.b128 [$5], {2/3};" PROXY ";wgmma.fence.sync.aligned;wgmma.mma_async.sync.aligned r0, [$5], [$6];"
     "wgmma.commit_group.sync.aligned;{/st.shared.b128 [$6], 2};wgmma.wait_group.sync.aligned {0/0/1}",
     0, NEAR},
    {".b128 $0=1; .b128 $1=2; tensormap $8={$0,$1}; .shared .b128 $5=0; mbarrier b0=1",
     "tensormap.replace.tile.global_address.global.b1024.b64 [$8], $1;fence.proxy.tensormap::generic.release.gpu;"
     "fence.proxy.tensormap::generic.acquire.gpu [$8], 128;" EXPECT
     ";cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$5], [$8, {0}], [b0];" WAIT(
         "b0", "0") ";" READ,
     0, NEAR},
    {MEMORY,
     READ ";fence.proxy.async::generic.release.sync_restrict::shared::{cta/cta/"
          "cluster::read}.cluster;barrier.cluster.arrive.relaxed;"
          "barrier.cluster.wait|barrier.cluster.arrive.relaxed;barrier.cluster.wait;"
          "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;"
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [cta0:$5], [$0], 16, [cta0:b0]",
     0, FAR},
    {"$2=0; mbarrier b0=2",
     "mbarrier.arrive_drop.shared::cta.b64 _, [b0];" WAIT("b0", "0") "|" ARRIVE("b0") ";" WAIT("b0", "0") ";" ARRIVE(
         "b0") ";" WAIT("b0", "1"),
     0, NEAR},
    {"$2=0; mbarrier b0=1",
     "mbarrier.arrive.shared::cta.b64 rd1, [b0];mbarrier.test_wait.shared::cta.b64 p1, [b0], rd1;"
     "selp.u32 r0, 1, 2, p1|" ARRIVE("b0") ";mbarrier.test_wait.parity.shared::cta.b64 p1, [b0], {0/1};"
                                           "selp.u32 r0, 1, 2, p1",
     0, NEAR},
    {"$2=0; mbarrier b0=1",
     "L0: mbarrier.try_wait.parity.shared::cta.b64 p1, [b0], {0/0/1};@!p1 bra L0; ld.weak.u32 r0, [$2]|"
     "st.weak.u32 [$2], 1;" ARRIVE("b0"),
     2, NEAR},
    {MEMORY "; mbarrier b1=1",
     "mov.u32 r8, 1;mov.u32 r7, 0;L0: mbarrier.wait.parity.shared::cta.b64 [b1], r8;" EXPECT ";" LOAD
     ";xor.b32 r8, r8, 1;add.u32 r7, r7, 1;setp.lt.u32 p0, r7, 2;@p0 bra L0|" WAIT(
         "b0", "0") ";" READ ";" PROXY ";" ARRIVE("b1") ";" WAIT("b0", "1"),
     2, NEAR},
    /* two stages, three turns, and a fault now and then */
    {".b128 $0=1; .b128 $1=2; .b128 $2=3; .shared .b128 $5=0; .shared .b128 $6=0; mbarrier b0=1; mbarrier b1=1; "
     "mbarrier b2=1",
     EXPECT
     ";" LOAD ";mbarrier.arrive.expect_tx.shared::cta.b64 _, [b2], 16;"
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [$6], [$1], 16, [b2];" WAIT(
         "b1", "{0/0/0/1}") ";" EXPECT
                            ";cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [$5], [$2], 16, [b0]|" WAIT(
                                "b0", "0") ";" READ ";" PROXY
                                           ";" ARRIVE("b1") ";" WAIT("b2", "0") ";ld.shared.b128 r1, [$6];" WAIT("b0",
                                                                                                                 "1"),
     0, NEAR},
    /* two consumers of one stage */
    {".b128 $0=1; .shared .b128 $5=0; mbarrier b0=1; mbarrier b1={2/2/1}",
     EXPECT ";" LOAD ";" WAIT("b1", "0") ";st.shared.b128 [$5], 3|" WAIT("b0", "0") ";" READ ";" ARRIVE("b1") "|" WAIT(
         "b0", "0") ";" READ ";" ARRIVE("b1"),
     0, NEAR},
    {"$0=0; .shared .u32 $5=0; mbarrier b0=1",
     "st.weak.u32 [$0], 1;st.shared.u32 [$5], 1;" RELEASE
     ";mbarrier.arrive.relaxed.cluster.shared::cta.b64 _, [b0]|mbarrier.wait.parity.relaxed.cluster.shared::cta.b64 "
     "[b0], 0;" ACQUIRE ";ld.shared.u32 r0, [$5];ld.weak.u32 r1, [$0]",
     0, NEAR},
    {".shared .u32 $5=0; $0=0",
     "st.shared.u32 [$5], 1;" RELEASE ";st.relaxed.cluster.u32 [$0], 1|ld.relaxed.cluster.u32 r1, [$0];" ACQUIRE
     ";ld.shared.u32 r0, [$5]",
     0, NEAR},
    {MEMORY,
     EXPECT ";" LOAD ";mbarrier.wait.parity.{relaxed/acquire}.cluster.shared::cta.b64 [b0], 0;" ACQUIRE ";" READ, 0,
     NEAR},
    {".b128 $0=0; .b128 $1=0; multimem $2={$0,$1}; .shared .b128 $5=1",
     "{st.shared.b128 [$5], 2/};" PROXY ";multimem.cp.async.bulk.global.shared::cta.bulk_group [$2], [$5], 16;" COMMIT
     ";" JOIN ";{fence.proxy.alias/};ld.global.b128 r0, [$0];ld.global.b128 r1, [$1]",
     0, NEAR},
    {"$0=0; $1=0; $3=0; multimem $2={$0,$1}",
     "st.weak.u32 [$3], 1;multimem.{st.async.release.gpu.global/red.async.release.gpu.global.add}.u32 [$2], 1|"
     "multimem.ld_reduce.{acquire/relaxed}.gpu.global.add.u32 r0, [$2];ld.weak.u32 r1, [$3]",
     0, NEAR},
    {".b128 $0=1; .b128 $1=2; .shared tensormap $7={$0,$1}; tensormap $8={$0,$1}; .shared .b128 $5=0; mbarrier b0=1",
     "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [$7], $1;tensormap.cp_fenceproxy.global.shared::cta."
     "tensormap::generic.release.gpu.sync.aligned [$8], [$7], 128;fence.proxy.tensormap::generic.acquire.gpu [$8], "
     "128;" EXPECT
     ";cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$5], [$8, {0}], [b0];" WAIT(
         "b0", "0") ";" READ,
     0, NEAR},
    {"$2=0; mbarrier b0=1",
     "st.weak.u32 [$2], 1;mapa.shared::cluster.u64 rd1, b0, {1/1/0};" REMOTE("rd1") ";mov.u64 rd1, 0|" WAIT(
         "b0", "0") "; ld.weak.u32 r0, [$2]",
     0, FAR},
    {TENSORS, PRODUCT ";" COMMITTED ";" WAIT("b0", "0") ";" AFTER ";" FETCH, 0, NEAR},
    {TENSORS, "{st.shared.u32 [$5], 5/};" PROXY ";" PRODUCT ";" COMMITTED "|" WAIT("b0", "0") ";" AFTER ";" FETCH, 0,
     NEAR},
    {TENSORS,
     FETCH ";{" BEFORE "/};" ARRIVE("b0") "|" WAIT("b0", "0") ";" AFTER ";{" PRODUCT
                                                              "/tcgen05.st.sync.aligned.32x32b.x1.b32 [$8], 5}",
     0, NEAR},
    {TENSORS,
     "tcgen05.{st.sync.aligned.32x32b.x1.b32 [$8], 5/cp.cta_group::1.128x256b [$8], [$5]};"
     "{tcgen05.wait::st.sync.aligned/tcgen05.wait::ld.sync.aligned/};{" PRODUCT "/};" FETCH,
     0, NEAR},
    {"$0=0; $1=0; grid 1 {after/after/follows} grid 0",
     "st.weak.u32 [$0], 1;fence.{acq_rel/release}.{gpu/sys/cta};griddepcontrol.launch_dependents;st.weak.u32 [$1], 1|"
     "griddepcontrol.wait;ld.weak.u32 r0, [$0];ld.weak.u32 r1, [$1]",
     0, GRIDS},
    {"$0=0; mbarrier b0=1; grid 1 {after/follows} grid 0; grid 2 after grid 1",
     "{mbarrier.arrive.shared::cta.b64 _, [b0]/};" WAIT("b0", "0") ";st.weak.u32 [$0], 1|griddepcontrol.wait;"
                                                                   "griddepcontrol.launch_dependents|"
                                                                   "griddepcontrol.wait;ld.weak.u32 r0, [$0]",
     0, GRIDS},
    {".b128 $0=1; .shared .b128 $5=0; mbarrier b0=1; grid 1 after grid 0",
     "st.global.b128 [$0], 2;griddepcontrol.launch_dependents|griddepcontrol.wait;" EXPECT ";" LOAD
     ";" WAIT("b0", "0") ";" READ,
     0, GRIDS},
    /* pending counts: of several phases, by drops, and values that depend on them */
    {"$2=0; mbarrier b0={2/3/3}",
     COUNTED("b0") ";st.weak.u32 [$2], r0|" ARRIVE("b0") ";" WAIT("b0", "{0/0/1}") ";ld.weak.u32 r1, [$2]", 0, NEAR},
    {"$2=0; mbarrier b0=2",
     ARRIVE("b0") ";" WAIT("b0",
                           "0") ";" COUNTED("b0") "|mbarrier.arrive{/_drop}.shared::cta.b64 _, [b0];" ARRIVE("b0"),
     0, NEAR},
    {"$2=0; mbarrier b0=3", COUNTED("b0") "|" COUNTED("b0") "|cp.async.mbarrier.arrive{/.noinc}.shared.b64 [b0]", 0,
     NEAR},
    {"$2=0; mbarrier b0={2/3}; mbarrier b1={2/3}",
     COUNTED("b0") ";setp.eq.u32 p0, r0, {1/2};@p0 " ARRIVE("b1") "|" COUNTED(
         "b1") ";setp.eq.u32 p0, r0, {1/2};@p0 " ARRIVE("b0"),
     2, NEAR},
    {"$2=0; mbarrier b0=3",
     COUNTED("b0") ";setp.ge.u32 p0, r0, 2;@p0 ld.weak.u32 r1, [$2]|st.weak.u32 [$2], 1;" REMOTE("cta0:b0"), 2, FAR},
    /* a producer of one CTA, a consumer of another, two turns */
    {MEMORY "; mbarrier b1={1/1/2}",
     "mov.u32 r8, 1;mov.u32 r7, 0;L0: mbarrier.wait.parity.acquire.cluster.shared::cta.b64 [b1], r8;{" EXPECT
     "/};cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$5], [$0], 16, "
     "[b0], {2/2/3};xor.b32 r8, r8, 1;add.u32 r7, r7, 1;setp.lt.u32 p0, r7, 2;@p0 bra L0|" EXPECT
     ";" WAIT("b0", "0") ";" READ ";" PROXY ";" REMOTE("cta0:b1") ";" EXPECT ";" WAIT("b0", "1"),
     2, FAR},
    /* reductions, from CTA to CTA, of strong accesses */
    {"$2=0; .u64 $0[2]={1,1}; .shared .u64 $5[2]={2,2}",
     "st.shared.u64 [$5], 3;" PROXY
     ";cp.reduce.async.bulk{/.relaxed.gpu}.global.shared::cta.bulk_group.{add.u64/max.u64/xor.b64} "
     "[$0], [$5], 16;" COMMIT ";" JOIN ";ld.global.u64 r0, [$0]|atom.relaxed.gpu.global.add.u64 r0, [$0], 1",
     0, NEAR},
    {"$2=0; .u32 $0[4]={1,0,0,0}; tensormap $8={$0}; .shared .u32 $5[4]={2,0,0,0}",
     "st.shared.u32 [$5], 3;" PROXY ";cp.reduce.async.bulk.tensor.1d.global.shared::cta.{add/min}.tile.bulk_group "
     "[$8, {0}], [$5];" COMMIT ";" JOIN ";ld.global.u32 r0, [$0]",
     0, NEAR},
    {".shared .b128 $5=0; .shared .b128 $6=0; mbarrier b0=1",
     "st.shared.b128 [$5], {1/2};" PROXY ";cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
     "[cta1:$6], [$5], 16, [cta1:b0];{st.shared.b128 [$5], 3/}|" EXPECT ";" WAIT("b0", "0") "; ld.shared.b128 r0, [$6]",
     0, FAR},
    {"$2=0; .shared .u64 $5[2]={1,1}; .shared .u64 $6[2]={2,2}; mbarrier b0=1",
     "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [cta1:$6], [$5], 16, "
     "[cta1:b0]|{st.shared.u64 [$6], 3/};" EXPECT ";" WAIT("b0", "0") "; ld.shared.u64 r0, [$6]",
     0, FAR},
    {MEMORY,
     EXPECT
     ";cp.async.bulk.relaxed.{gpu/cta}.shared::cta.global.mbarrier::complete_tx::bytes.b128 [$5], [$0], 16, [b0];" WAIT(
         "b0", "0") ";" READ "|st.{relaxed.gpu/relaxed.cta/weak}.global.b128 [$0], 2",
     0, NEAR},
    {"$2=0; .shared .u32 $5[2]={0,0}; mbarrier b0=1",
     "st.async{/.weak}.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [cta1:$5], {1, 2}, [cta1:b0]|"
     "mbarrier.arrive.expect_tx.shared::cta.b64 _, [b0], {8/8/4};" WAIT(
         "b0", "0") ";ld.shared.u32 r0, [$5];ld.shared.u32 r1, [$5+4]",
     0, FAR},
    {".b128 $0=1; tensormap $8={$0}; .shared .b128 $5=0; mbarrier b0=1",
     "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2 [$5], [$8, {0}], "
     "[{cta1:/}b0];barrier.cluster.arrive;barrier.cluster.wait;" READ "|" EXPECT
     ";" WAIT("b0", "0") ";barrier.cluster.arrive;barrier.cluster.wait",
     0, FAR},
    /* two groups of copies, and the end of an object */
    {".b128 $0=1; .b128 $1=2; .shared .b128 $5=0; .shared .b128 $6=0",
     "cp.async.cg.shared.global [$5], [$0], 16{/, 0};cp.async.commit_group;cp.async.cg.shared.global [$6], [$1], 16;"
     "cp.async.commit_group;cp.async.wait_group {0/1/1/2};" READ ";ld.shared.b128 r1, [$6]",
     0, NEAR},
    {"$2=0; mbarrier b0=1",
     "st.weak.u32 [$2], 1;" ARRIVE("b0") "|" WAIT("b0",
                                                  "0") ";ld.weak.u32 r0, [$2];mbarrier.inval.shared::cta.b64 [b0]",
     0, NEAR},
    /* initialisations that race, are late or unreachable; operations after the end; a hang before */
    {"$2=0; mbarrier b0",
     "{bar.sync 0;/}mbarrier.init.shared::cta.b64 [b0], {1/1/2};{bar.sync 0;/}" ARRIVE(
         "b0") "|"
               "{mbarrier.init.shared::cta.b64 [b0], 1;/}{bar.sync 0;/}" WAIT("b0", "{0/0/1}"),
     0, NEAR},
    {"$2=0; mbarrier b0; mbarrier b1=1",
     WAIT("b1",
          "0") ";mbarrier.init.shared::cta.b64 [b0], 1;{bar.sync 0/}|" ARRIVE("b0") ";{bar.sync 0;/}" ARRIVE("b1"),
     0, NEAR},
    {"$2=0; mbarrier b0",
     "ld.relaxed.cta.u32 r0, [$2];setp.eq.u32 p0, r0, 1;{@p0 /}mbarrier.init.shared::cta.b64 [b0], 1;" ARRIVE(
         "b0") "|st.relaxed.cta.u32 [$2], 1",
     0, NEAR},
    {"$2=0; mbarrier b0={1/2}",
     "mbarrier.arrive_drop.shared::cta.b64 _, [b0], {1/2};{bar.sync 0;/}mbarrier.{inval.shared::cta.b64 [b0]/"
     "wait.parity.shared::cta.b64 [b0], 1/test_wait.parity.shared::cta.b64 p0, [b0], 1}|"
     "{mbarrier.test_wait.parity.shared::cta.b64 p0, [b0], 0;/}{bar.sync 0;/}ld.weak.u32 r0, [$2]",
     0, NEAR},
    {"$2=0; mbarrier b0={1/2}",
     "mbarrier.arrive_drop.shared::cta.b64 _, [b0];{bar.sync 0;/}mbarrier.arrive{/_drop}.shared::cta.b64 _, [b0]|"
     "mbarrier.{test/try}_wait.parity.shared::cta.b64 p0, [b0], {0/1};{bar.sync 0;/}{/mbarrier.test_wait.parity.shared"
     "::cta.b64 p0, [b0], 1/mbarrier.arrive_drop.shared::cta.b64 _, [b0]}",
     0, NEAR},
    /* loops that poll two objects (P10) */
    {"$0=0; $1=0; mbarrier b0=1; mbarrier b1=1",
     "ld.relaxed.gpu.u32 r0, [$0];setp.eq.u32 p0, r0, 1;{@p0 /}" ARRIVE("b0") ";{@p0 /}" ARRIVE("b1") "|"
     "L0: mbarrier.test_wait.parity.shared::cta.b64 p0, [b0], 0;{@!p0 bra L0/@p0 bra L1/};"
     "mbarrier.test_wait.parity.shared::cta.b64 p1, [b1], 0;{or/and}.pred p2, p0, p1;@!p2 bra L0;"
     "L1: {@p1 /}st.relaxed.gpu.u32 [$1], 1|ld.relaxed.gpu.u32 r0, [$1];st.relaxed.gpu.u32 [$0], r0",
     2, NEAR},
    /* exchanges of a warp and the end of an object (G88) */
    {"$2=0; mbarrier b0=2",
     ARRIVE("b0") ";" EXCHANGE ";mbarrier.{inval.shared::cta.b64 [b0]/arrive.shared::cta.b64 _, [b0]}|{" ARRIVE("b0")
     ";/}" EXCHANGE ";{" ARRIVE("b0") "/" WAIT("b0", "0") "/}",
     0, LANES},
    /* a ring of copies over three threads, the last of which is over the first (G84) */
    {".b128 $0=1; .b128 $1=2; .shared .b128 $5=0; .shared .b128 $6=0; mbarrier b0=1; mbarrier b1=1",
     "mbarrier.arrive.expect_tx.shared::cta.b64 _, [b1], 16;" EXPECT ";" LOAD ";" WAIT("b0", "0")
     ";cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [cta1:$6], [$5], 16, [cta1:b0];{"
     WAIT("b1", "0") "/};" READ "|" EXPECT ";" WAIT("b0", "0")
     ";cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [cta2:$6], [$6], 16, [cta2:b0]|" EXPECT
     ";{" WAIT("b0", "0") ";/}cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [cta0:$5], [$1], 16, "
     "[cta0:b1]",
     0, FAR},
    /* an object that lives twice: ended and initialised again, in order or not, with the same count or another */
    {"$2=0; mbarrier b0={1/2}",
     ARRIVE("b0") ";" WAIT("b0", "0") ";mbarrier.inval.shared::cta.b64 [b0];"
                                      "mbarrier.init.shared::cta.b64 [b0], {1/1/2};{bar.sync 0/};" ARRIVE(
                                          "b0") "|"
                                                "{" ARRIVE("b0") "/};bar.sync 0;" WAIT(
                                                    "b0", "{0/0/1}") ";{ld.weak.u32 r0, [$2]/" ARRIVE("b0") "}",
     0, NEAR},
    {"$2=0; mbarrier b0{/=1/=2}",
     "mbarrier.in{it.shared::cta.b64 [b0], 1/val.shared::cta.b64 [b0]};{mbarrier.init.shared::cta.b64 [b0], {1/2}/};"
     "{bar.sync 0/};" ARRIVE("b0") ";{mbarrier.inval.shared::cta.b64 [b0]/}|{bar.sync 0/};"
                                   "{mbarrier.inval.shared::cta.b64 [b0]/};{mbarrier.init.shared::cta.b64 [b0], "
                                   "{1/2}/};{bar.sync 0/};" WAIT("b0", "{0/0/1}"),
     0, NEAR},
    {"$2=0; mbarrier b0=1",
     ARRIVE("b0") ";atom.acq_rel.cta.add.u32 r0, [$2], 1;setp.eq.u32 p0, r0, 1;@p0 mbarrier.inval.shared::cta.b64 "
                  "[b0]|" WAIT("b0", "{0/0/1}") ";{match.any.sync.b32 r7, 0, "
                                                "3/};atom.{acq_rel/acq_rel/relaxed}.cta.add.u32 r1, [$2], 1;"
                                                "setp.eq.u32 p0, r1, 1;@p0 mbarrier.inval.shared::cta.b64 [b0]",
     0, NEAR},
    {".shared .u32 $5=2; .shared .u32 $6=3; mbarrier b0=1",
     WAIT("b0", "0") ";{wgmma.fence.sync.aligned;/}wgmma.mma_async.sync.aligned r0, [$5], [$6]|{"
                     "mbarrier.arrive.shared::cta.b64 _, [b0];/}ld.shared.u32 r1, [$5]",
     0, NEAR},
    {TENSORS,
     PRODUCT
     ";tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [b0], {2/3}|" WAIT(
         "b0", "0") ";" AFTER ";" FETCH,
     0, FAR},
    /* tensor memory by lanes and columns: allocated, written, added to, loaded in part, freed */
    {CELLS,
     ALLOCATE ";{" SUM("{0/0/1}") ";/}" SUM("{0/1/1}") ";" COMMITTED ";{" WAIT("b0", "{0/0/0/1}") ";/}{" AFTER
                                                       ";/}" PART ";{tcgen05.wait::ld.sync.aligned;/}" RELEASED,
     0, NEAR},
    {CELLS_OF_TWO,
     ALLOCATE ";bar.sync 0;" SUM("{0/1}") ";" COMMITTED ";{bar.sync 1;/}" RELEASED "|{bar.sync 0;/}ld.shared.u32 r9, "
              "[$7];" WAIT("b0", "0") ";{" AFTER ";/}" PART ";{tcgen05.wait::ld.sync.aligned;/}{" BEFORE
     ";/}bar.sync 1",
     0, NEAR},
    {CELLS_OF_TWO,
     ALLOCATE ";tcgen05.st.sync.aligned.{32x32b.x2/16x64b.x2}.b32 [r9{/+1}], {1, {2/1}};"
              "tcgen05.wait::{st/st/ld}.sync.aligned;" PART ";tcgen05.wait::ld.sync.aligned;{bar.sync 0;/}" RELEASED
              "|{bar.sync 0/}",
     0, NEAR},
    {CELLS_OF_TWO,
     PAIRED("32") ";barrier.cluster.arrive;barrier.cluster.wait;tcgen05.mma.cta_group::2.kind::f16 [r9], [$5], [$6], "
                  "0x10080010, 0;tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster"
                  ".b64 [b0], {3/3/1};{" WAIT("b0", "0") ";/}" FREED "|" PAIRED("32") ";{barrier.cluster.arrive;"
                  "barrier.cluster.wait/st.shared.u32 [$5], 4};" WAIT("b0", "0") ";{" AFTER ";/}" PART
                  ";tcgen05.wait::ld.sync.aligned;" FREED,
     0, FAR},
    /* responses to requests to cancel CTAs: decoded twice, overwritten, and of two CTAs */
    {RESPONSE,
     EXPECT ";" REQUEST ";" WAIT("b0", "0") ";" DECODE
                                            ";@p0 clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 r7, r9;"
                                            "@p0 st.weak.u32 [$2], 1|" WAIT("b0", "{0/0/0/1}") ";" DECODE,
     0, NEAR},
    {RESPONSE,
     EXPECT ";" REQUEST ";" WAIT("b0", "0") ";" DECODE ";bar.sync 0;{" PROXY "/};@p0 " EXPECT ";@p0 " REQUEST
                                            "|" WAIT("b0", "0") ";" DECODE ";{" PROXY "/};bar.sync 0",
     0, NEAR},
    {RESPONSE, EXPECT ";" REQUEST ";" WAIT("b0", "0") ";" DECODE "|" EXPECT ";" WAIT("b0", "0") ";" DECODE, 0, FAR},
};

/* ---- Templates ---- */

/* One of the texts of `{a/b}`, at *c, which is left behind the closing brace. A list of one, `{0}`, is a part of the
 * text. */
static void add_choice(struct gen *g, const char **c, struct text *out) {
  uint32_t depth = 0, count = 1, chosen, at = 0;
  const char *begin = *c;
  for (const char *p = *c; *p && (depth != 1 || *p != '}'); p++) {
    depth += *p == '{';
    depth -= *p == '}';
    count += depth == 1 && *p == '/';
  }
  if (count == 1) {
    text_char(out, *(*c)++);
    return;
  }
  chosen = below(g, count);
  for ((*c)++, depth = 1; **c;) {
    if (depth == 1 && **c == '}') break;
    if (depth == 1 && **c == '/') {
      at++;
      (*c)++;
    } else if (at == chosen && **c == '{') {
      add_choice(g, c, out);
    } else {
      depth += **c == '{';
      depth -= **c == '}';
      if (at == chosen) text_char(out, **c);
      (*c)++;
    }
  }
  REQUIRE(*c > begin);
  (*c)++;
}

static const char *fill_template(struct gen *g, const char *text) {
  struct text out = {.arena = g->arena};
  for (const char *c = text; *c;)
    if (*c == '{') add_choice(g, &c, &out);
    else text_char(&out, *c++);
  return text_str(&out);
}

/* Splits at `;` and `|`; instructions are left out sometimes, but not those that loops and labels need. */
static void put_code(struct gen *g, const char *code, bool whole) {
  while (*code) {
    size_t length = strcspn(code, ";|");
    const char *instr = arena_printf(g->arena, "%.*s", (int)length, code);
    while (*instr == ' ') instr++;
    bool kept = whole || strstr(instr, "barrier.cluster") || strstr(instr, "test_wait") || strstr(instr, "rd1") ||
                strstr(instr, "is_canceled") || strstr(instr, "setp") || !chance(g, 9);
    if (*instr && kept && g->sketch->threads[g->thread].count < SKETCH_INSTRS) put(g, "%s", instr);
    if (code[length] == '|') g->thread++;
    code += length + (code[length] != 0);
  }
}

static void put_inits(struct gen *g, const char *inits) {
  while (*inits) {
    size_t length = strcspn(inits, ";");
    while (*inits == ' ') inits++, length--;
    put_init(g, "%.*s", (int)length, inits);
    inits += length + (inits[length] != 0);
  }
}

/* ---- Free programs ---- */

static const char *const pieces[] = {
    EXPECT,
    EXPECT,
    LOAD,
    LOAD,
    STORE,
    COMMIT,
    JOIN,
    READ,
    WRITE,
    PROXY,
    FENCE,
    WAIT("b0", "{0/1}"),
    WAIT("b1", "{0/1}"),
    WAIT("b0", "0"),
    ARRIVE("b0"),
    ARRIVE("b1"),
    REMOTE("cta0:b1"),
    "cp.async.cg.shared.global [$5], [$0], 16",
    "cp.async.commit_group",
    "cp.async.wait_group {0/1}",
    "cp.async.wait_all",
    "griddepcontrol.{wait/launch_dependents}",
    "cp.async.mbarrier.arrive{/.noinc}.shared.b64 [b1]",
    "ld.global.b128 r1, [$0]",
    "st.global.b128 [$0], 2",
    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b1], {16/32}",
    "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b1], {16/32}",
    "mbarrier.arrive_drop.shared::cta.b64 _, [b0]",
    "mbarrier.arrive.shared::cta.b64 _, [b1], 2",
    "mbarrier.inval.shared::cta.b64 [b0]",
    RESTRICTED,
    "fence.proxy.async::generic.{release.sync_restrict::shared::cta/acquire.sync_restrict::shared::cluster}.cluster",
    "elect.sync _|p0, 0xffffffff",
};

static void fill_pieces(struct gen *g) {
  put_inits(g, MEMORY "; mbarrier b1=2");
  for (uint32_t t = 0; t < g->sketch->thread_count; t++) {
    g->thread = t;
    uint32_t count = 2 + below(g, 4);
    for (uint32_t i = 0; i < count; i++) put(g, "%s", fill_template(g, PICK_FROM(g, pieces)));
  }
}

/* A register that some thread has, else a location. */
static const char *observed(struct gen *g) {
  const struct sketch *s = g->sketch;
  for (uint32_t tries = 0; tries < 8; tries++) {
    uint32_t t = below(g, s->thread_count), r = below(g, 2);
    const char *name = r ? " r1, " : " r0, ";
    for (uint32_t i = 0; i < s->threads[t].count; i++)
      if (strstr(s->threads[t].instrs[i], name)) return arena_printf(g->arena, "#%u:r%u=%u", t, r, below(g, 3));
  }
  bool global = strchr(s->inits[0], '0') && strstr(s->inits[0], "$0");
  return arena_printf(g->arena, global ? "$0=%u" : "%u=0", below(g, 3));
}

void fill_async(struct gen *g) {
  struct sketch *s = g->sketch;
  const struct program_template *t = &templates[below(g, ARRAY_LEN(templates))];
  bool free = chance(g, 30);
  bool together = !free && t->where == NEAR;
  s->clusters = s->asynchronous = true;
  const char *code = fill_template(g, t->code);
  s->thread_count = 1;
  if (free) s->thread_count += below(g, 2);
  for (const char *c = code; *c && !free; c++) s->thread_count += *c == '|';
  for (uint32_t i = 0; i < s->thread_count; i++)
    s->threads[i] = (struct sketch_thread){.cta = together || (free && chance(g, 60)) ? 0 : i};
  for (uint32_t i = 0; i < s->thread_count && !free && t->where == LANES; i++)
    s->threads[i] = (struct sketch_thread){.has_warp = true, .lane = i};
  for (uint32_t i = 1; i < s->thread_count && !free && t->where == GRIDS; i++)
    s->threads[i] = (struct sketch_thread){.cta = i, .cluster = i, .grid = i, .domain = chance(g, 20)};
  if (free) {
    fill_pieces(g);
  } else {
    put_inits(g, fill_template(g, t->inits));
    s->unroll = t->unroll;
    put_code(g, code, t->unroll > 0);
  }
  if (strstr(code, "bar.sync") && !free) s->barriers = SKETCH_CTA_BARRIERS;
  if (strstr(code, "barrier.cluster") && !free) s->barriers = SKETCH_CLUSTER_BARRIERS;
  s->condition = arena_printf(g->arena, "exists (%s)", observed(g));
}
