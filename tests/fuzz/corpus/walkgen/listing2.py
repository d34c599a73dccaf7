walk.sendMsg(":walkmode 2")
walk.sendMsg(":TimeDistributeParameters 2.0 3.7 1.5 3.0")
walk.sendMsg(":obstacleparameters 1.0 0.0 0.0 0.0 0.12 1.0 0.05")
walk.sendMsg(":stepseq 0.0 -0.095 0.0 0.2 0.19 0.0 0.2 -0.19 0.0 0.0 0.19 0.0 ")
