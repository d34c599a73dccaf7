#include <sstream>
#include <PatternGeneratorInterface.h>
using namespace:: PatternGeneratorJRL;
void StraightWalking(PatternGeneratorInterface &aPGL){
    const char lBuffer[5][256] = {" :omega 0.0", " :stepheight 0.07",
        " :singlesupporttime 0.78", " :doublesupporttime 0.02",
        " :armparameters 0.5"};
    for(int i=0;i<5;i++) {
        std::istringstream strm(lBuffer[i]);
        aPGL.ParseCmd(strm); }
    std::istringstream strm2(" :stepseq 0.0 -0.095 0.0 \
        0.2 0.19 0.0 0.2 -0.19 0.0 0.2 0.19 0.0 \
        0.2 -0.19 0.0 0.2 0.19 0.0 0.0 -0.19 0.0");
    aPGL.ParseCmd(strm2);
}
